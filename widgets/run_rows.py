"""A sleep says when it was, how it ended and what came of it; an edit what was done, and how sure that was."""

from __future__ import annotations

from textual.content import Content

from store.records import Operation
from widgets.look import CHANGED, NEVER, NOW, QUIET, lines, stacked
from widgets.plain import one_line
from widgets.wording import clock_time, count, day_words

ENDS = {
    "FINISHED": ("●", NOW, "finished"),
    "STOPPED": ("○", CHANGED, "stopped early"),
    "KILLED": ("✗", NEVER, "cut off"),
}
EDITS = {
    "split": "split what mixed matters",
    "merge": "merged what says the same",
    "update": "renewed what was out of date",
}
REASONS = {"APPLIED": "", "LOW_CONF": "not sure enough, left as it was"}


def run_row(run: Operation, width: int) -> Content:
    mark, style, ended = ENDS.get(run.reason, ("○", QUIET, run.reason.casefold()))
    if run.undone_by is not None:
        mark, style, ended = "✗", NEVER, "taken back"
    numbers = [(key, word) for key, word in (("episodes", "turn"), ("facts", "belief")) if _number(run, key)]
    did = ", ".join(count(_number(run, key), word) for key, word in numbers) or "nothing to do"
    head = lines((f"{mark} ", style), (f"{day_words(run.at)} {clock_time(run.at)}", "bold"), (f"  {ended}", QUIET))
    told = (head, lines((f"  {did}{_took(run)}", QUIET)), *_by_model(run))
    return stacked([row.truncate(max(10, width), ellipsis=True) for row in told])


def _by_model(run: Operation) -> tuple[Content, ...]:
    """What a model that took part made of the turns that it was asked about."""
    reader, heard = run.detail.get("reader"), _number(run, "heard")
    if not isinstance(reader, str) or not heard:
        return ()
    did = f"{count(_number(run, 'proposed'), 'claim')} of {count(heard, 'turn')}"
    return (lines((f"  {one_line(reader, 20)}: {did}", QUIET)),)


def edit_row(edit: Operation, width: int) -> Content:
    applied = edit.reason == "APPLIED" and edit.undone_by is None
    mark, style = ("~", CHANGED) if applied else ("○", QUIET)
    why = (
        "taken back"
        if edit.undone_by is not None
        else REASONS.get(edit.reason, edit.reason.casefold().replace("_", " "))
    )
    sure = edit.detail.get("confidence")
    how = f"  {sure:.2f} sure" if isinstance(sure, float) else ""
    what = EDITS.get(edit.kind, one_line(edit.kind, 30))
    return lines((f"{mark} ", style), what, (f"{how}  {why}", QUIET)).truncate(max(10, width), ellipsis=True)


def _number(run: Operation, key: str) -> int:
    value = run.detail.get(key)
    return value if isinstance(value, int) else 0


def _took(run: Operation) -> str:
    seconds = run.detail.get("seconds")
    if not isinstance(seconds, dict):
        return ""
    total = sum(value for value in seconds.values() if isinstance(value, int | float))
    return f" in {total:.1f} s" if total >= 0.1 else ""
