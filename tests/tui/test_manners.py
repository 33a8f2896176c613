"""While one writes, the keys do what hands expect of a chat: pages scroll, what was typed comes back, nothing is lost."""

from __future__ import annotations

from textual.pilot import Pilot

from app.app import ErstwhileApp
from tests.tui.acting import app_with, settle, type_text
from tests.tui.scripted import ScriptedMemory, turns
from widgets.prompt import Prompt
from widgets.transcript import Transcript


async def resumed(pilot: Pilot[None], app: ErstwhileApp) -> tuple[Prompt, Transcript]:
    """The conversation s1 is open at its end."""
    await settle(pilot)
    app.chat.open_session("s1")
    await settle(pilot)
    return app.chat.query_one(Prompt), app.chat.query_one(Transcript)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.wait_for_animation()
    await settle(pilot)


def below(transcript: Transcript) -> float:
    """Lines below what is in view; earlier turns may be mounted above it meanwhile."""
    return transcript.max_scroll_y - transcript.scroll_y


async def test_pages_scroll_the_conversation_while_one_writes_and_home_and_end_move_in_the_prompt() -> None:
    app = app_with(ScriptedMemory(said=turns(70)))
    async with app.run_test(size=(120, 30)) as pilot:
        prompt, transcript = await resumed(pilot, app)
        await type_text(pilot, "half a thought")
        assert below(transcript) == 0
        await press(pilot, "pageup")
        assert (up := below(transcript)) > 0
        await press(pilot, "pageup")
        assert below(transcript) > up
        await press(pilot, "pagedown")
        assert below(transcript) == up
        at = transcript.scroll_y
        await press(pilot, "home")
        assert prompt.cursor_location == (0, 0)
        await press(pilot, "end")
        assert prompt.cursor_location == (0, len("half a thought"))
        assert (transcript.scroll_y, prompt.has_focus, prompt.text) == (at, True, "half a thought")
