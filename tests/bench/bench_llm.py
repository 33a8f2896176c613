"""Prints what the model process costs on this machine: loading, first token, speed, reuse, cancelling.

    python tests/bench/bench_llm.py MODEL.gguf [--threads 1 2] [--prompts 300 1000 3000] [--turns 10]

Runs through ModelProcess, so that the pipe and the child are part of every figure. Times in seconds.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.llm.process import ModelProcess
from store.protocols import Message


def main() -> None:
    """Parse the arguments and print one block for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--prompts", type=int, nargs="+", default=[300, 1000, 3000])
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--cancels", type=int, default=20)
    chosen = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for threads in chosen.threads:
            model = ModelProcess(chosen.model, crashes=Path(folder) / "crashes.json", threads=threads, temperature=0.0)
            with model:
                measure(model, threads, chosen, Path(folder) / "state.bin")
    print(f"\nall of it: {time.monotonic() - began:.0f} s")


def measure(model: ModelProcess, threads: int, chosen: argparse.Namespace, state: Path) -> None:
    """One model with one number of threads."""
    began = time.monotonic()
    model.start()
    print(f"\n{model.name}, at most {threads} threads")
    print(f"  start, load and proof      {time.monotonic() - began:7.2f}   resident {resident(model):.0f} MB")
    for size in chosen.prompts:
        first_token(model, size)
    if chosen.turns:
        conversation(model, chosen.turns)
        reopening(model, state)
    if chosen.cancels:
        cancelling(model, chosen.cancels)


def first_token(model: ModelProcess, size: int) -> None:
    """A prompt of about `size` tokens that shares nothing with the last one, and 64 tokens of reply."""
    text = f"{size} {time.monotonic_ns()} " + filler(model, size)
    list(model.chat([Message("user", text)], max_tokens=64))
    done = model.last_reply
    assert done is not None
    read = (done.prompt_tokens - done.reused_tokens) / max(done.first_token_seconds, 1e-9)
    written = max(done.generated_tokens - 1, 0) / max(done.seconds - done.first_token_seconds, 1e-9)
    print(
        f"  prompt {done.prompt_tokens:5} tokens: first token {done.first_token_seconds:7.2f}"
        f"   read {read:7.1f} tokens/s   write {written:6.1f} tokens/s"
    )


def conversation(model: ModelProcess, turns: int) -> None:
    """The first-token times over a growing conversation; for some of its turns also where the head has changed."""
    said: list[Message] = []
    asked, times = list[list[Message]](), list[float]()
    head = "You are a calm assistant. " + filler(model, 300)
    for turn in range(turns):
        said.append(Message("user", f"Question {turn}: what should I cook today?"))
        asked.append(list(said))
        said.append(Message("assistant", "".join(model.chat([Message("system", head), *said], max_tokens=24))))
        times.append(_first(model))
    print(
        f"  {turns} turns with reuse: first token median {statistics.median(times[1:]):.2f}, first turn {times[0]:.2f}"
    )
    again = sorted({1, turns // 2, turns - 1})
    changed = []
    for turn in again:
        list(model.chat([Message("system", f"{turn} {head}"), *asked[turn]], max_tokens=2))
        changed.append(_first(model))
    print(f"  the same without reuse (turns {again}): first token median {statistics.median(changed):6.2f}")
    ratios = [without / max(times[turn], 1e-9) for turn, without in zip(again, changed, strict=True)]
    print(f"  first token without reuse / with: {statistics.median(ratios):.1f}")


def _first(model: ModelProcess) -> float:
    assert model.last_reply is not None
    return model.last_reply.first_token_seconds


def reopening(model: ModelProcess, state: Path) -> None:
    """The first token after a restart, with the saved cache and without."""
    messages = [Message("system", filler(model, 1000)), Message("user", "Hello?")]
    list(model.chat(messages, max_tokens=2))
    model.save_state(state)
    for kept in (True, False):
        assert model.pid is not None
        os.kill(model.pid, signal.SIGKILL)
        while model.running:
            time.sleep(0.01)
        began = time.monotonic()
        if kept:
            model.restore_state(state)
        list(model.chat(messages, max_tokens=2))
        print(f"  reopened {'with' if kept else 'without'} saved state: first reply {time.monotonic() - began:6.2f}")
    print(f"  saved state {state.stat().st_size / 1e6:.1f} MB")


def cancelling(model: ModelProcess, times: int) -> None:
    """From the moment that `stop` is set to the end of the iterator, while writing and while reading."""
    story, reading = [], []
    for number in range(times):
        story.append(cancelled_after(model, f"{number}: tell a long story.", 0.4))
        reading.append(cancelled_after(model, f"{number} {time.monotonic_ns()} " + filler(model, 1500), 0.1))
    for name, values in (("writing", story), ("reading", reading)):
        values.sort()
        median, late = statistics.median(values) * 1000, values[int(0.99 * (times - 1))] * 1000
        print(f"  cancel while {name}: median {median:5.0f} ms, p99 {late:5.0f} ms, worst {values[-1] * 1000:5.0f} ms")


def cancelled_after(model: ModelProcess, text: str, seconds: float) -> float:
    """How long the reply goes on after it was told to stop."""
    stop, pressed = threading.Event(), [0.0]

    def press() -> None:
        pressed[0] = time.monotonic()
        stop.set()

    timer = threading.Timer(seconds, press)
    timer.start()
    list(model.chat([Message("user", text)], max_tokens=300, stop=stop))
    ended = time.monotonic()
    timer.join()
    return max(0.0, ended - pressed[0])


def filler(model: ModelProcess, tokens: int) -> str:
    """Plain sentences of about so many tokens."""
    sentence = "On that day the weather was mild and the market was full of people. "
    return sentence * max(1, tokens // max(1, model.count_tokens(sentence)))


def resident(model: ModelProcess) -> float:
    """Megabytes; 0 where the system does not say."""
    status = Path(f"/proc/{model.pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)


if __name__ == "__main__":
    main()
