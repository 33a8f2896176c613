"""Other programs on this machine use the memory through the one that starts `mcp`, and through nothing else."""

from __future__ import annotations

import os
import sys
from datetime import datetime

import click

from app.cli.session import CommandContext, command, tell
from app.core.tools import TOOLS, Desk, reading
from app.mcp import Server


@command()
@click.option("--read-only", is_flag=True, help="Without remember and correct.")
def mcp(session: CommandContext, read_only: bool) -> None:
    """Serve the memory to another program, by the Model Context Protocol over standard input and output."""
    zone = session.zone
    with session.memory(make=not read_only) as memory:
        desk = Desk(memory, zone, lambda: datetime.now(zone), source="mcp")
        server = Server(desk, reading() if read_only else TOOLS, complain=lambda said: tell(f"erstwhile: {said}"))
        out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # from now on nothing else in this process writes to standard output
        for line in server.serve(line.decode("utf-8", "replace") for line in sys.stdin.buffer):
            out.write(line + "\n")
            out.flush()


COMMANDS = (mcp,)
