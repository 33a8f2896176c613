"""Nobody types while a dialog opens: its keys are meant for it at once."""

from __future__ import annotations

import pytest

from app.tui.screens.dialogs import ConsentDialog


@pytest.fixture(autouse=True)
def nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConsentDialog, "PAUSE", 0.0)
