"""With the real llama.cpp and the small model: it loads, answers, can be stopped, and reads only what is new."""

from __future__ import annotations

import json
import os
import signal
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.tooling import consult
from app.core.tools import Desk, reading
from app.llm import gguf
from app.llm.fetch import SMOLLM2
from app.llm.process import ModelProcess
from app.paths import models_dir
from store.errors import ModelDied, ModelError, ModelUnavailable
from store.memory import Memory
from store.protocols import Message
from store.records import Turn
from tests.conftest import NOW, ZONE

pytestmark = pytest.mark.slow

MODELS = models_dir()
"""The person's own, asked before the tests' fixtures point everything elsewhere."""
TEMPLATE_KEY = b"tokenizer.chat_template" + struct.pack("<I", 8)
"""Stands before the length of a chat template, and the template."""


def model_path() -> Path:
    """The file that ERSTWHILE_TEST_GGUF names, else the small model in the data directory."""
    named = os.environ.get("ERSTWHILE_TEST_GGUF")
    path = Path(named) if named else MODELS / SMOLLM2.file_name
    if not path.is_file():
        pytest.skip("no model here: run `erstwhile models get`, or set ERSTWHILE_TEST_GGUF to a GGUF file")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelProcess]:
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")
    state = tmp_path_factory.mktemp("state") / "crashes.json"
    with ModelProcess(model_path(), crashes=state, n_ctx=2048, temperature=0.0) as process:
        process.start()
        yield process


def ask(model: ModelProcess, *texts: str, max_tokens: int = 24) -> str:
    return "".join(model.chat([Message("user", text) for text in texts], max_tokens=max_tokens))


def test_loads_and_answers(model: ModelProcess) -> None:
    assert model.loaded is not None
    assert ask(model, "Hello! How are you?").strip()
    assert model.last_reply is not None
    assert 0 < model.last_reply.generated_tokens <= 24


def test_header_and_tokenizer_agree_with_the_model(model: ModelProcess) -> None:
    assert gguf.read(model.path).weights > 0
    assert model.count_tokens("") == 0
    assert 1 <= model.count_tokens("hello world") <= 4
    assert model.count_tokens("<|im_end|>") > 1, "text never counts as a control token"


def test_the_same_beginning_is_not_read_again(model: ModelProcess) -> None:
    head = Message("system", "You are a calm assistant. " * 30)
    list(model.chat([head, Message("user", "One?")], max_tokens=2))
    list(model.chat([head, Message("user", "Two?")], max_tokens=2))
    done = model.last_reply
    assert done is not None
    assert done.reused_tokens > 0.8 * done.prompt_tokens


def test_cancel_in_the_reply_leaves_a_usable_model(model: ModelProcess) -> None:
    stop, pid = threading.Event(), model.pid
    reply = model.chat([Message("user", "Tell me a long story about the sea.")], max_tokens=400, stop=stop)
    next(reply)
    began = time.monotonic()
    stop.set()
    list(reply)
    assert time.monotonic() - began < 2.0
    # Whoever stopped it waits 40 ms for that; a child that needs longer ends the reply behind their back.
    assert model.last_reply is None or model.last_reply.reason == "cancelled"
    assert ask(model, "Say hello.").strip()
    assert model.pid == pid


def test_cancel_while_the_prompt_is_read(model: ModelProcess) -> None:
    stop, pid = threading.Event(), model.pid
    threading.Timer(0.15, stop.set).start()
    text = " ".join(f"Day {day}: the tide was {day * 37 % 11}." for day in range(150))
    list(model.chat([Message("user", text)], max_tokens=2, stop=stop))
    assert ask(model, "Say hello.").strip()
    assert model.pid == pid


def test_a_prompt_beyond_the_context_is_refused(model: ModelProcess) -> None:
    with pytest.raises(ModelError, match="the model reads"):
        ask(model, "word " * 4000)
    assert ask(model, "Say hello.").strip()


def test_a_schema_binds_the_reply(model: ModelProcess) -> None:
    schema = {"type": "object", "properties": {"city": {"enum": ["Lisbon", "Porto"]}}, "required": ["city"]}
    said = "".join(model.chat([Message("user", "I moved to Lisbon.")], max_tokens=40, schema=schema))
    assert json.loads(said)["city"] in {"Lisbon", "Porto"}


def test_it_takes_few_steps_each_a_call_or_the_end(model: ModelProcess, memory: Memory) -> None:
    memory.episodes.remember(Turn("My bicycle was stolen from the hallway.", "s1"))
    hits = memory.recall.search("hallway").hits
    run = consult(model, Desk(memory, ZONE, NOW.local), "What was stolen from me?", most=1, first=hits)
    steps = []
    while True:
        try:
            steps.append(next(run))
        except StopIteration as end:
            consulted = end.value
            break
    assert len(steps) <= 1
    assert {one.name for one in steps} <= {tool.name for tool in reading()}
    assert "bicycle" in consulted.found[0].text
    assert [one.text for one in memory.episodes.of("s1")] == ["My bicycle was stolen from the hallway."]
    assert "".join(model.chat(consulted.messages, max_tokens=16)).strip()


def test_what_was_read_can_be_saved_and_restored(model: ModelProcess, tmp_path: Path) -> None:
    messages = [Message("system", "You like birds. " * 20), Message("user", "Hello")]
    first = "".join(model.chat(messages, max_tokens=8))
    assert model.save_state(tmp_path / "state.bin")
    assert model.pid is not None
    os.kill(model.pid, signal.SIGKILL)
    while model.running:
        time.sleep(0.01)
    assert model.restore_state(tmp_path / "state.bin") > 80
    assert "".join(model.chat(messages, max_tokens=8)) == first
    assert model.last_reply is not None
    assert model.last_reply.reused_tokens >= model.last_reply.prompt_tokens - 1
    (tmp_path / "state.bin").write_bytes(b"rubbish")
    assert model.restore_state(tmp_path / "state.bin") == 0
    assert "".join(model.chat(messages, max_tokens=8)) == first


def test_killed_and_started_again(model: ModelProcess) -> None:
    reply = model.chat([Message("user", "Count to one hundred.")], max_tokens=300)
    next(reply)
    assert model.pid is not None
    os.kill(model.pid, 9)
    with pytest.raises(ModelDied):
        list(reply)
    assert ask(model, "Say hello.").strip()


def test_a_file_with_a_good_header_and_no_model_is_one_sentence(gguf_path: Path, tmp_path: Path) -> None:
    with (
        ModelProcess(gguf_path, crashes=tmp_path / "crashes.json") as broken,
        pytest.raises(ModelUnavailable, match=r"llama\.cpp cannot load it"),
    ):
        broken.start()


@pytest.mark.parametrize(
    "attack", ["{{ ''.__class__.__mro__ }}{{ [].__class__.__base__.__subclasses__()[1]() }}", "{% for m in %}"]
)
def test_a_hostile_template_in_a_real_model_is_one_sentence(attack: str, tmp_path: Path) -> None:
    source = model_path()
    whole = source.read_bytes()
    (length,) = struct.unpack_from("<Q", whole, start := whole.index(TEMPLATE_KEY) + len(TEMPLATE_KEY))
    template = whole[start + 8 : start + 8 + length]
    assert whole.count(template) == 1
    hostile = tmp_path / "hostile.gguf"
    hostile.write_bytes(whole.replace(template, attack.encode().ljust(len(template))))
    with (
        ModelProcess(hostile, crashes=tmp_path / "crashes.json", n_ctx=512) as model,
        pytest.raises(ModelUnavailable, match=r"hostile\.gguf: The chat template in this") as caught,
    ):
        model.start()
    assert "\n" not in str(caught.value)


def test_a_reply_that_was_cut_is_gone_on_with(model: ModelProcess) -> None:
    asked = Message("user", "Count from one to ten in words.")
    whole = "".join(model.chat([asked, Message("assistant", "One, two, three,")], max_tokens=12))
    assert whole.startswith(" four, five")
