"""Keeping a memory well: every verb here says what it did, and none leaves the file half-changed."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from app.cli.session import CommandContext, command
from app.core import rendering
from app.core.rendering import as_json
from app.core.settings import FILE as SETTINGS
from app.core.settings import read as read_settings
from app.core.sleeper import drawn
from app.paths import DEFAULT, config_dir, data_dir, log_file, machine_state, models_dir, profile_of, profiles, size
from store.errors import Damaged, UsageError
from widgets.plain import one_line
from widgets.wording import count, megabytes, titled


@command()
@click.option("--no-model", is_flag=True, help="Rules only, whatever the settings say.")
@click.option("--by-model", is_flag=True, help="The model checks what the reader is unsure of, if it passed for that.")
@click.option("--budget", type=float, metavar="SECONDS", help="Stop cleanly after so long; the rest stays pending.")
@click.option("--again", is_flag=True, help="Read also the turns of sleeps that were taken back with `undo --run`.")
def sleep(session: CommandContext, no_model: bool, by_model: bool, budget: float | None, again: bool) -> None:
    """Read what was not yet read, settle who is who, fold the beliefs anew, and sum up. Can be stopped at any time."""
    from app.core.fitness import opened

    settings = read_settings()
    wanted = not no_model and (by_model or settings.model_reads)
    with session.memory() as memory, opened(wanted=wanted) as reader:
        report = drawn(memory.sleeping.run(budget=budget, model=reader.model, again=again, wait=True))
        pending = memory.reading.pending()
        unheard = 0 if reader.model is None else memory.reading.unheard()
        (ended,) = memory.log.operations(report.run, phase="sleep")
    told = ended.detail
    document: dict[str, Any] = {
        "run": report.run, "episodes": report.episodes, "claims": report.claims, "slots": report.slots,
        "facts": report.facts, "finished": report.finished, "pending": pending,
        "seconds": told.get("seconds", {}),
    }  # fmt: skip
    stopped = "" if report.finished else f" Stopped; {pending} turns wait."
    read = f"{report.episodes} turns read, {report.claims} claims, {report.slots} beliefs folded"
    lines = [f"Sleep {report.run}: {read}.{stopped}"]
    if wanted:
        document["model"] = {
            "name": told.get("reader"), "sentence": reader.sentence, "waiting": unheard,
            **{key: told.get(key, 0) for key in ("heard", "proposed", "refused")},
        }  # fmt: skip
        lines.append(_by_model(document, document["model"]))
    session.emit(document, *lines)


def _by_model(document: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    if said["name"] is None:
        return str(said["sentence"])
    refused = f"{said['refused']} refused{' (`erstwhile log --kept-out`)' if said['refused'] else ''}"
    waiting = f" {said['waiting']} turns wait for it." if said["waiting"] else ""
    return (
        f"Read by the reader: {count(document['episodes'], 'turn')}, {count(document['claims'], 'claim')}. Read by "
        f"{one_line(said['name'], 40)}: {count(said['heard'], 'turn')}, {count(said['proposed'], 'claim')}, "
        f"{refused}.{waiting}"
    )


@command()
@click.option(
    "--repair", is_flag=True, help="Mend what is damaged: the damaged file is kept, and what is lost is told."
)
def check(session: CommandContext, repair: bool) -> None:
    """Look at the whole file and change nothing: its pages, its indexes, and all that is derived, both ways."""
    if repair:
        from app.cli.copying import repair as mend

        mend(session)
        return
    with session.memory(reading=True) as memory:
        found = memory.file.check()
    bad = [one for one in found if not one.ok]
    warning = _warning(session)
    session.emit(
        {"ok": not bad, "checks": [{"name": one.name, "ok": one.ok, "detail": one.detail} for one in found], **warning},
        *(f"{'ok ' if one.ok else 'BAD'} {one.name}  {one_line(one.detail)}".rstrip() for one in found),
        *(f"warning: {sentence}" for sentence in warning.values()),
    )
    if bad:
        raise Damaged(f"{len(bad)} of {len(found)} checks failed; `erstwhile check --repair` mends what can be mended.")


@command()
def rebuild(session: CommandContext) -> None:
    """Drop everything that is derived and make it again from the turns and the claims."""
    from app.cli.copying import back_up_before

    with session.memory() as memory:
        back_up_before(memory, "rebuild")
        drawn(memory.file.rebuild())
    session.emit({"rebuilt": True}, "Rebuilt: index, groups and facts are made anew from the turns and the claims.")


@command()
@click.option("--change", is_flag=True, help="Let it have another passphrase.")
@click.option("--off", is_flag=True, help="Decrypt it.")
@click.option("--new-passphrase-file", type=click.Path(path_type=Path), help="Read the new passphrase from this file.")
def encrypt(session: CommandContext, change: bool, off: bool, new_passphrase_file: Path | None) -> None:
    """Encrypt the memory, and its backups from then on, with a passphrase that is asked for (or is in
    --passphrase-file). Without the passphrase there is no way back to it."""
    if change and off:
        raise UsageError("Say --change or --off, not both.")
    from app.cli.copying import encrypt as run

    run(session, "change" if change else "off" if off else "on", new_passphrase_file)


@command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
def backup(session: CommandContext, path: Path | None) -> None:
    """Copy the live file (default: beside it, with the date), and check the copy."""
    with session.memory() as memory:
        target = memory.backups.make(path)
    session.emit({"backup": str(target)}, f"Backed up to {target}; the copy passed its checks.")


@command()
@click.argument("other", type=click.Path(path_type=Path))
def merge(session: CommandContext, other: Path) -> None:
    """Take over what the memory in the file OTHER holds. Order makes no difference, and twice changes nothing."""
    from app.cli.copying import back_up_before

    session.unlock(other)
    with session.memory(make=True) as memory:
        back_up_before(memory, "merge")
        merged = memory.file.merge(other)
    document = {"episodes": merged.episodes, "claims": merged.claims, "erased": len(merged.erased)}
    erased = f" {len(merged.erased)} turns that were erased there are erased here." if merged.erased else ""
    session.emit(document, f"{merged.episodes} turns and {merged.claims} claims taken over from {other}.{erased}")


@command()
def where(session: CommandContext) -> None:
    """Where the file, the models, the settings and the log of faults are, which profiles there are, and which versions
    run."""
    places = {
        "memory": str(session.db), "profile": profile_of(session.db), "data": str(data_dir()),
        "models": str(models_dir()),
        "settings": str(config_dir() / SETTINGS),
        "machine": str(machine_state()), "log": str(log_file()),
        "python": platform.python_version(), "program": sys.prefix,
    }  # fmt: skip
    sizes = {name: size(file) for name, file in profiles().items()}
    told = [{"name": name, "memory": str(file), "bytes": sizes[name]} for name, file in profiles().items()]
    lines = dict(places)
    if sizes.keys() | {places["profile"]} - {""} <= {DEFAULT}:
        del lines["profile"]  # nobody has to know of profiles who has none
    else:
        lines["profiles"] = ", ".join(f"{name} ({megabytes(bytes_)})" for name, bytes_ in sizes.items())
    warning = _warning(session)
    lines |= warning
    session.emit({**places, "profiles": told, **warning}, *(f"{name:<9} {at}".rstrip() for name, at in lines.items()))


def _warning(session: CommandContext) -> dict[str, str]:
    """What is wrong with the folder that the memory lies in, if anything."""
    from app.core.synced import synced

    found = synced(session.db)
    return {} if found is None else {"warning": found.sentence()}


@command()
@click.option("--run", "number", type=int, help="Only this sleep.")
@click.option(
    "--kept-out", is_flag=True, help="What taught nothing: words meant for a model, secrets (by their kind), and "
    "what a model that reads proposed and was refused.",
)  # fmt: skip
def log(session: CommandContext, number: int | None, kept_out: bool) -> None:
    """The log of decisions, newest first."""
    with session.memory(reading=True) as memory:
        if kept_out:
            apart = memory.reading.set_apart()
            said = {one.turn: memory.episodes.get(one.turn) for one in apart}
            lines = [
                f"{said[one.turn].said_at.iso()[:16]} {one_line(said[one.turn].speaker, 20)}: "
                f"{rendering.quarantined_line(one)}"
                for one in apart
            ]
            nothing = "Nothing was set apart: no instruction to a model, no secret."
            session.emit({"kept_out": as_json(apart)}, *(lines or [nothing]))
            return
        found = memory.log.operations(number)
    lines = [
        f"{one.id:>5} {one.at.iso()[:16]} {one.phase} {one.kind} {one.reason}"
        + (f" (undone by {one.undone_by})" if one.undone_by else "")
        for one in found
    ]
    session.emit({"operations": as_json(found)}, *(lines or ["Nothing has been decided yet."]))


@command()
@click.argument("operation", required=False, type=int)
@click.option("--run", "number", type=int, help="Take back all that this sleep read and did.")
def undo(session: CommandContext, operation: int | None, number: int | None) -> None:
    """Take back what was done by hand, by its number in the log; or, with --run, a whole sleep. All is then as if it
    had not been done."""
    if (operation is None) == (number is None):
        raise UsageError("Say either which operation, or which sleep with --run; `erstwhile log` lists both.")
    with session.memory() as memory:
        done = memory.log.undo_run(number) if number is not None else memory.log.undo(operation or 0)
    if number is None:
        what = f"Operation {operation} is taken back (as {done})."
        session.emit({"undone": operation, "operation": done}, what)
    else:
        what = f"Sleep {number} is taken back (as {done}); `erstwhile sleep --again` reads its turns anew."
        session.emit({"run": number, "operation": done}, what)


@command()
def sessions(session: CommandContext) -> None:
    """Every conversation, the latest first."""
    with session.memory(reading=True) as memory:
        found = memory.sessions.all()
    lines = [
        f"{one.last_said_at.iso()[:16] if one.last_said_at else '':<16} {one.turns:>5} turns  "
        f"{one_line(titled(one), 60)}"
        for one in found
    ]
    session.emit({"sessions": as_json(found)}, *lines)


COMMANDS = (sleep, check, rebuild, encrypt, backup, merge, where, log, undo, sessions)
