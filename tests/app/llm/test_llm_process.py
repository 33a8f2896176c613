"""Whatever a model does, the parent gets text or one sentence, in time, and no process is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.llm.process import Limits, ModelProcess
from store.errors import ModelDied, ModelError, ModelUnavailable
from store.protocols import LanguageModel, Message
from tests.app.llm.conftest import exists
from tests.app.llm.making import gguf

FAKE = Path(__file__).with_name("fake_worker.py")
QUICK = Limits(load=20, silence=20, reply=30, cancel=5, quit=2)
HELLO = [Message("user", "Hello?")]

Make = Callable[..., ModelProcess]
Closing = Callable[[ModelProcess], ModelProcess]


@pytest.fixture
def make(closing: Closing, gguf_path: Path, tmp_path: Path) -> Make:
    """A ModelProcess over the scripted model."""

    def build(limits: Limits = QUICK, path: Path = gguf_path, free: int | None = None, **script: Any) -> ModelProcess:
        command = (sys.executable, str(FAKE), json.dumps(script))
        return closing(
            ModelProcess(
                path,
                crashes=tmp_path / "state" / "crashes.json",
                limits=limits,
                command=command,
                available_memory=lambda: free,
            )
        )

    return build


def diary(path: Path) -> list[str]:
    return path.read_text().split()


def test_streams_and_tells_how_it_went(make: Make) -> None:
    model: LanguageModel = make(pieces=["Good", " morning", " ☀"])
    assert list(model.chat(HELLO)) == ["Good", " morning", " ☀"]
    assert isinstance(model, ModelProcess)
    assert model.last_reply is not None
    assert model.last_reply.reason == "end"
    assert model.count_tokens("one two three") == 3
    assert model.name == "tiny"


def test_loading_happens_once(make: Make) -> None:
    model = make()
    first = model.start()
    assert model.start() is first
    assert first.n_ctx == 2048, "the file's own limit is below what was asked for"


def test_a_stop_event_ends_the_reply_and_the_model_goes_on(make: Make) -> None:
    stop = threading.Event()
    model = make(then="forever", pieces=["first"])
    reply = model.chat(HELLO, stop=stop)
    assert next(reply) == "first"
    stop.set()
    began = time.monotonic()
    rest = list(reply)
    assert time.monotonic() - began < 1.0
    pid = model.pid
    assert len(rest) < 500
    assert model.last_reply is not None
    assert model.last_reply.reason == "cancelled"
    assert next(model.chat(HELLO)) == "first"
    assert model.pid == pid


def test_cancel_from_another_thread(make: Make) -> None:
    model = make(then="forever")
    reply = model.chat(HELLO)
    next(reply)
    threading.Thread(target=model.cancel).start()
    for _ in reply:
        pass
    assert model.running


def test_an_abandoned_reply_frees_the_model(make: Make) -> None:
    model = make(then="forever", pieces=["a"])
    reply = model.chat(HELLO)
    next(reply)
    closer = threading.Thread(target=reply.close)
    closer.start()
    closer.join(10)
    assert next(model.chat(HELLO)) == "a"


def test_waiting_for_a_turn_can_be_stopped(make: Make) -> None:
    model = make(then="forever")
    first = model.chat(HELLO)
    next(first)
    stop = threading.Event()
    stop.set()
    assert list(model.chat(HELLO, stop=stop)) == []


def test_tokens_are_counted_while_a_reply_is_written(make: Make) -> None:
    model = make(then="forever")
    next(model.chat(HELLO))
    assert model.count_tokens("four words are here") == 4


def test_a_crash_with_fast_buffers_is_tried_again_without_and_remembered(make: Make, tmp_path: Path) -> None:
    notes = tmp_path / "loads"
    model = make(load="crash when fast", diary=str(notes))
    assert "".join(model.chat(HELLO)) == "Hello there"
    assert diary(notes) == ["fast", "careful"]
    model.close()
    again = make(load="crash when fast", diary=str(notes))
    again.start()
    assert diary(notes) == ["fast", "careful", "careful"]


def test_a_model_that_always_crashes_is_one_sentence_and_nothing_is_remembered(make: Make, tmp_path: Path) -> None:
    notes = tmp_path / "loads"
    model = make(load="crash", diary=str(notes))
    with pytest.raises(ModelUnavailable, match="crash on this machine: choose another model"):
        model.start()
    assert diary(notes) == ["fast", "careful"]
    assert not (tmp_path / "state" / "crashes.json").exists()
    assert not model.running


def test_a_crash_in_a_reply_keeps_what_was_said_and_the_next_call_starts_carefully(make: Make, tmp_path: Path) -> None:
    notes = tmp_path / "loads"
    model = make(pieces=["so far", " so good"], then="crash", diary=str(notes))
    with pytest.raises(ModelDied, match="The next message starts it again") as caught:
        list(model.chat(HELLO))
    assert caught.value.partial == "so far so good"
    first = model.pid
    assert next(model.chat(HELLO)) == "so far"
    assert model.pid != first
    assert diary(notes) == ["fast", "careful"]


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_killed_from_outside(make: Make, by: signal.Signals, tmp_path: Path) -> None:
    notes = tmp_path / "loads"
    model = make(then="forever", diary=str(notes))
    reply = model.chat(HELLO)
    next(reply)
    assert model.pid is not None
    os.kill(model.pid, by)
    with pytest.raises(ModelDied):
        list(reply)
    assert next(model.chat(HELLO)) == "Hello"
    assert diary(notes) == ["fast", "fast"], "the build is not to blame for a kill"


def test_a_stopped_process_is_killed_after_its_silence(make: Make) -> None:
    model = make(Limits(load=20, silence=0.5, reply=30, cancel=1, quit=0.2), pieces=["a"], then="hang")
    reply = model.chat(HELLO)
    assert next(reply) == "a"
    pid = model.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(ModelDied, match="gave no sign"):
        list(reply)
    assert not exists(pid)


def test_a_hanging_reply_that_is_cancelled_is_killed(make: Make) -> None:
    model = make(Limits(load=20, silence=20, reply=30, cancel=0.3, quit=0.2), pieces=["a"], then="hang")
    stop = threading.Event()
    reply = model.chat(HELLO, stop=stop)
    next(reply)
    pid = model.pid
    stop.set()
    began = time.monotonic()
    assert list(reply) == []
    assert time.monotonic() - began < 0.2, "whoever stopped it does not wait for its end"
    assert pid is not None
    while exists(pid) or model.running:
        time.sleep(0.01)


def test_an_endless_reply_ends_at_the_wall(make: Make) -> None:
    model = make(Limits(load=20, silence=20, reply=0.5, cancel=1, quit=0.5), then="forever")
    with pytest.raises(ModelDied, match="took longer than") as caught:
        list(model.chat(HELLO))
    assert caught.value.partial.startswith("Hello there.")


def test_a_load_that_hangs_ends_at_its_limit(make: Make) -> None:
    model = make(Limits(load=0.7, quit=0.2), load="hang")
    with pytest.raises(ModelUnavailable, match="did not load in time"):
        model.start()
    assert model.pid is not None
    assert not exists(model.pid)


def test_closing_ends_a_load_that_hangs(make: Make) -> None:
    model = make(Limits(load=60, quit=0.2), load="hang")
    failures: list[BaseException] = []

    def start() -> None:
        try:
            model.start()
        except ModelUnavailable as error:
            failures.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    while model.pid is None:
        time.sleep(0.005)
    model.close()
    thread.join(10)
    assert len(failures) == 1


@pytest.mark.parametrize(
    ("load", "sentence"), [("refuse", "The template is hostile"), ("exit", r"the library is missing")]
)
def test_reasons_not_to_load_reach_the_person(make: Make, load: str, sentence: str) -> None:
    with pytest.raises(ModelUnavailable, match=sentence):
        make(load=load).start()


def test_a_prompt_that_is_too_long_is_refused_aloud_and_the_model_goes_on(make: Make) -> None:
    model = make(then="refuse")
    with pytest.raises(ModelError, match="9 tokens long"):
        list(model.chat(HELLO))
    assert model.running


def test_files_that_are_no_models_never_start_a_process(make: Make, tmp_path: Path) -> None:
    text, short = tmp_path / "text.gguf", tmp_path / "short.gguf"
    text.write_text("Dear diary, this is not a model.")
    short.write_bytes(gguf(weights=100))
    for path, sentence in ((text, "not a GGUF"), (short, "not complete"), (tmp_path / "none.gguf", "cannot be read")):
        model = make(path=path)
        with pytest.raises(ModelUnavailable, match=sentence):
            model.start()
        assert model.pid is None


def test_a_model_larger_than_memory_is_refused_before_it_starts(make: Make) -> None:
    model = make(free=10_000_000)
    with pytest.raises(ModelUnavailable, match=r"needs about .* of memory and 10 MB are free"):
        model.start()
    assert model.pid is None


def test_closed_means_closed(make: Make) -> None:
    model = make()
    model.start()
    pid = model.pid
    model.close()
    model.close()
    assert pid is not None
    assert not exists(pid)
    with pytest.raises(ModelError, match="closed"):
        list(model.chat(HELLO))


def test_state_is_saved_and_restored(make: Make, tmp_path: Path) -> None:
    model, path = make(), tmp_path / "kept" / "state"
    assert model.restore_state(path) == 0
    assert not model.save_state(path), "nothing runs, so there is nothing to save"
    model.start()
    assert model.save_state(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert model.restore_state(path) == len("state")


def test_the_child_ends_with_its_parent(gguf_path: Path, tmp_path: Path) -> None:
    program = (
        "import sys, json, time; from pathlib import Path; from app.llm.process import ModelProcess\n"
        "model = ModelProcess(Path(sys.argv[1]), crashes=Path(sys.argv[2]), command=sys.argv[3:])\n"
        "model.start(); print(model.pid, flush=True); time.sleep(60)"
    )
    child = (sys.executable, str(FAKE), json.dumps({"then": "forever"}))
    parent = subprocess.Popen(
        (sys.executable, "-c", program, str(gguf_path), str(tmp_path / "crashes.json"), *child),
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running(pid)


def running(pid: int) -> bool:
    """An orphan that has ended may stay a zombie where nobody reaps: that counts as ended."""
    stat = Path(f"/proc/{pid}/stat")
    return exists(pid) and not (stat.exists() and ") Z " in stat.read_text())


def test_the_parent_does_not_import_the_library() -> None:
    program = (
        "import sys, app.llm.process, app.llm.find, app.core.prompts, app.llm.fetch; print('llama_cpp' in sys.modules)"
    )
    done = subprocess.run(
        (sys.executable, "-c", program),
        check=True,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == "False", done.stderr
