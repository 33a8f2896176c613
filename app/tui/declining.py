"""What is for a chat model is declined where none can be relied on: one sentence says why, and what helps."""

from __future__ import annotations

from app.core.conversation import COMING
from app.llm.engine import missing
from app.tui.services import Services

TOO_SMALL = "That is for a larger model than {name}: f3 has some, and {key} lets this one try."
NOW_HERE = "That is for a chat model, and {name} has just come: {key} has its reply to this."
ON_ITS_WAY = "That is for {coming}: I’ll say when it is there, and {key} then has its reply to this."
NONE = "{own} f3 gets one, and {key} then has its reply to this."
NO_ENGINE = "{own} What runs one (llama.cpp) is not installed here: f3, then b, builds it, with a C++ compiler."
READY_LAST = "{name} is ready; {key} has its reply to your last message."
READY = "{name} is ready; what was for it can be sent again, with ↑."


def why(services: Services, own: str, key: str) -> str:
    """Why nobody replies to what the memory declines in its `own` words; `key` has a model reply to it."""
    if services.coming:
        return ON_ITS_WAY.format(coming=COMING.format(services.coming), key=key)
    if services.voice is not None and services.voice.relied_on:
        return NOW_HERE.format(name=services.model_state, key=key)
    if services.voice is not None:
        return TOO_SMALL.format(name=services.model_state, key=key)
    return NO_ENGINE.format(own=own) if missing() else NONE.format(own=own, key=key)


def ready(name: str, key: str, *, last: bool) -> str:
    """Said once a model is there, to whom it was promised; `last`: nothing was said since."""
    return (READY_LAST if last else READY).format(name=name, key=key)
