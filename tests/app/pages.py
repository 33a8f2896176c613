"""The pages that the program's people read, taken apart: code blocks, inline code, tables, links and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "app/README.md", "store/README.md", "models/README.md", "tests/README.md")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[str]:
    """The code blocks of one kind (sh, console, toml, json), in order."""
    return [body for name, body in _BLOCK.findall(text(page)) if name == kind]


def prose(page: str) -> str:
    """The page without its code blocks, each paragraph on lines as they are."""
    return _BLOCK.sub("", text(page))


def inline(page: str) -> list[str]:
    """Every piece of inline code; one that is broken over two lines is put together."""
    return [" ".join(one.split()) for one in re.findall(r"`([^`]+)`", prose(page))]


def sections(page: str) -> dict[str, str]:
    """Heading to what stands below it, up to the next heading of any depth."""
    parts = re.split(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(part: str) -> list[list[str]]:
    """The cells of every table row in a part of a page, without heads and rules."""
    found: list[list[str]] = []
    lines = part.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        is_head, is_rule = below.startswith("|--"), line.startswith("|--")
        if line.startswith("|") and not is_head and not is_rule:
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def bare(cell: str) -> str:
    """A cell that is one piece of code, without its backticks."""
    return cell.strip("`")


def keys(cell: str) -> list[str]:
    """The keys in a piece of text, as the page writes them."""
    return re.findall(r"<kbd>([^<]+)</kbd>", cell)


def sessions(page: str) -> Iterator[list[tuple[str, str]]]:
    """For each console block its commands, without "$ ", each with the output that stands below it."""
    for block in blocks(page, "console"):
        parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
        yield list(zip(parts[1::2], parts[2::2], strict=True))


def commands(page: str) -> set[str]:
    """Every command line that begins with `erstwhile`, wherever the page shows it, without comments."""
    shown = [line for block in blocks(page, "sh") for line in block.splitlines()]
    shown += [command.rpartition(" | ")[2] for session in sessions(page) for command, _ in session]
    return {line.split("  #")[0].strip() for line in [*shown, *inline(page)] if re.match(r"erstwhile( |$)", line)}
