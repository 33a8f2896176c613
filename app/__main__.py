"""The program, `erstwhile` or `python -m app`: the command line, and the app where no verb is given."""

from __future__ import annotations

import sys
from typing import Any


def opens(*given: Any, **named: Any) -> None:
    """Open the app; what that imports, no verb waits for."""
    from app.tui.start import start

    start(*given, **named)


def main() -> None:
    """The console script."""
    from app.cli.commands import cli
    from app.cli.session import run

    sys.exit(run(cli, opens=opens))


if __name__ == "__main__":
    main()
