"""What a model does by itself is shown, and what it would write waits for a yes; a reply that loops is shown cut."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from app.core.fitness import Fitness, remember
from app.core.settings import Settings
from app.core.turn import LOOPED
from app.paths import fitness_file
from app.tui.app import ErstwhileApp
from app.tui.screens.dialogs import ConsentDialog
from store.protocols import Message
from tests.app.llm.making import gguf
from tests.tui.acting import app_with, say, screen_text, settle, type_text
from tests.tui.scripted import ScriptedMemory, ScriptedModel, lives

SIZE = (120, 40)
AGAIN = "The sea is blue and the sky is wide and clear today. "


class Stepping(ScriptedModel):
    """Takes one step, then answers."""

    step: dict[str, Any]

    def chat(self, messages: Sequence[Message], **options: Any) -> Iterator[str]:
        if "schema" not in options:
            yield from super().chat(messages, max_tokens=9)
        elif json.dumps(self.step) in [one.content for one in messages]:
            yield '{"tool": "answer", "arguments": {}}'
        else:
            yield json.dumps(self.step)


def capable(tmp_path: Path, step: dict[str, Any]) -> Stepping:
    """A model that passed every test, on paper."""
    model = Stepping(pieces=("It is by the mill.",))
    model.step = step
    path = tmp_path / "capable.gguf"
    path.write_bytes(gguf())
    remember(fitness_file(), path, Fitness(dict.fromkeys(("chat", "absent", "tools"), 1.0)))
    model.path = path  # type: ignore[attr-defined]  # what a model in a file has
    return model


def app_of(memory: ScriptedMemory, model: ScriptedModel) -> ErstwhileApp:
    return app_with(memory, model, settings=Settings(model_invents=False, idle_seconds=0))


async def test_each_step_stands_in_the_panel(tmp_path: Path) -> None:
    model = capable(tmp_path, {"tool": "search", "arguments": {"query": "camel parking"}})
    memory = ScriptedMemory()
    memory.said[0] = replace(memory.said[0], text="I parked the camel by the mill.")
    app = app_of(memory, model)
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, "Where did I park the camel?")
        shown = screen_text(app)
        assert "STEPS" in shown
        assert "search: query 'camel parking'" in shown
        assert "It is by the mill." in shown


async def asked(pilot: Pilot[None], app: ErstwhileApp) -> None:
    """Ask for a change, up to where the model's step waits for the person."""
    await settle(pilot)
    await type_text(pilot, "Please correct where I live.")
    await pilot.press("enter")
    for _ in range(200):
        if isinstance(app.screen, ConsentDialog):
            return
        await pilot.pause(0.01)
    raise AssertionError("nobody was asked")


@pytest.mark.parametrize(("key", "written"), [("y", True), ("n", False), ("escape", False)])
async def test_a_change_waits_for_the_person(tmp_path: Path, key: str, written: bool) -> None:
    arguments = {"subject": "me", "predicate": "lives_in", "value": "Coimbra", "instead_of": lives()[0].object}
    memory = ScriptedMemory()
    app = app_of(memory, capable(tmp_path, {"tool": "correct", "arguments": arguments}))
    async with app.run_test(size=SIZE) as pilot:
        await asked(pilot, app)
        assert "Correct what is believed: me · lives_in is “Coimbra”" in " ".join(screen_text(app).split())
        assert "correct" not in memory.names()
        await pilot.press(key)
        await settle(pilot)
        assert ("correct" in memory.names()) is written
        assert not app.chat.busy


async def test_leaving_while_somebody_is_asked_writes_nothing(tmp_path: Path) -> None:
    memory = ScriptedMemory()
    arguments = {"text": "I am a spy."}
    app = app_of(memory, capable(tmp_path, {"tool": "remember", "arguments": arguments}))
    async with app.run_test(size=SIZE) as pilot:
        await asked(pilot, app)
    assert "I am a spy." not in [one.text for one in memory.said]


async def test_a_reply_that_loops_is_shown_as_it_is_kept() -> None:
    memory = ScriptedMemory()
    app = app_with(memory, ScriptedModel(pieces=("Hello. ", *[AGAIN] * 50)))
    async with app.run_test(size=SIZE) as pilot:
        await say(pilot, "Good morning")
        shown = screen_text(app)
        assert LOOPED in shown
        assert " ".join(shown.split()).count("The sea is blue") == 1
        assert memory.said[-1].text == f"Hello. {AGAIN.strip()}"
