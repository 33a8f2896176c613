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
    numbers = ((_number(run, "episodes"), "turn"), (_number(run, "facts"), "belief"))
    did = ", ".join(count(number, word) for number, word in numbers if number) or "nothing to do"
    seconds = run.detail.get("seconds")
    took = sum(one for one in seconds.values() if isinstance(one, int | float)) if isinstance(seconds, dict) else 0
    told = [
        lines((f"{mark} ", style), (f"{day_words(run.at)} {clock_time(run.at)}", "bold"), (f"  {ended}", QUIET)),
        lines((f"  {did}{f' in {took:.1f} s' if took >= 0.1 else ''}", QUIET)),
    ]
    reader, heard = run.detail.get("reader"), _number(run, "heard")
    if isinstance(reader, str) and heard:
        made = f"{count(_number(run, 'proposed'), 'claim')} of {count(heard, 'turn')}"
        told.append(lines((f"  {one_line(reader, 20)}: {made}", QUIET)))
    return stacked([row.truncate(max(10, width), ellipsis=True) for row in told])


def edit_row(edit: Operation, width: int) -> Content:
    applied = edit.reason == "APPLIED" and edit.undone_by is None
    mark, style = ("~", CHANGED) if applied else ("○", QUIET)
    why = REASONS.get(edit.reason, edit.reason.casefold().replace("_", " "))
    why = why if edit.undone_by is None else "taken back"
    sure = edit.detail.get("confidence")
    how = f"  {sure:.2f} sure" if isinstance(sure, float) else ""
    what = EDITS.get(edit.kind, one_line(edit.kind, 30))
    return lines((f"{mark} ", style), what, (f"{how}  {why}", QUIET)).truncate(max(10, width), ellipsis=True)


def _number(run: Operation, key: str) -> int:
    value = run.detail.get(key)
    return value if isinstance(value, int) else 0
