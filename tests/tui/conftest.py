"""Nobody types while a dialog opens: its keys are meant for it at once."""

from __future__ import annotations

import pytest

from app.tui.screens.dialogs import ConsentDialog


@pytest.fixture(autouse=True)
def nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConsentDialog, "PAUSE", 0.0)


@pytest.fixture
def capable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model counts as one that is large enough for notes, and for what it said before."""
    monkeypatch.setattr("app.core.composing.is_small", lambda _: False)
