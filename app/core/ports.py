"""What the interface is started with: the memory, a model and what sets one up, or what opens each in the background.

Calls of the memory may come from several threads; each may take a while, so none is made on the interface's own thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from store.protocols import LanguageModel

if TYPE_CHECKING:
    from app.llm.fetch import Step
    from store.memory import Memory

MemorySource: TypeAlias = "Memory | Callable[[], Memory]"
"""The memory, or what opens it; the latter is called in the background, after the first frame."""
ModelSource = LanguageModel | Callable[[], LanguageModel | None] | None
"""The model, what loads it in the background, or None for a memory that goes without."""
SetUp = Callable[[threading.Event], Iterator["Step"]]
"""Fetches and builds what a model needs in order to run, until the event is set; ends at once where nothing is missing.
"""
