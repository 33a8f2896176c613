"""`python -m app` is the same as `erstwhile`."""

from app.cli import main

main()
