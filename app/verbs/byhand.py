"""What the person says by hand outranks what was read; what they erase is gone, after they have seen how much it is."""

from __future__ import annotations

import click

from app import rendering
from app.session import Session, command, tell
from store.errors import UsageError


@click.command()
@click.argument("subject")
@click.argument("predicate")
@click.argument("value")
@command
def correct(session: Session, subject: str, predicate: str, value: str) -> None:
    """Say what is right: SUBJECT (me, or a name), PREDICATE (lives_in, ...), VALUE. The wrong belief stays in view."""
    with session.memory() as memory:
        fact = memory.correct(subject, predicate, value)
        now = memory.latest()
    session.emit({"fact": rendering.fact_json(fact)}, rendering.fact_line(fact, now))


@click.command()
@click.argument("fact")
@command
def retract(session: Session, fact: str) -> None:
    """Say that the fact with this id (see `facts --json`) never held."""
    with session.memory() as memory:
        gone = memory.retract(fact)
        now = memory.latest()
    session.emit({"fact": rendering.fact_json(gone)}, rendering.fact_line(gone, now), rendering.believed_line(gone))


@click.command()
@click.option("--episode", metavar="ID", help="One turn.")
@click.option("--session", "conversation", metavar="KEY", help="One conversation.")
@click.option("--about", metavar="S", help="Everything that names somebody or something, or is believed of them.")
@click.option("--since", metavar="D", help="Everything said from then on.")
@click.option("--until", metavar="D", help="Everything said before then.")
@click.option("--yes", is_flag=True, help="Do it; without this, only say what would go.")
@command
def erase(
    session: Session,
    episode: str | None,
    conversation: str | None,
    about: str | None,
    since: str | None,
    until: str | None,
    yes: bool,
) -> None:
    """Delete for good. Shows what would go; with --yes no byte of it stays in the file. Backups are not touched."""
    start, end = session.when(since), session.when(until)
    if sum(one is not None for one in (episode, conversation, about, start or end)) != 1:
        raise UsageError("Name one thing to erase: --episode, --session, --about, or --since and --until.")
    with session.memory() as memory:
        chosen = memory.selection(
            episode=episode, session=conversation, about=about, since=start.start if start else None,
            until=end.start if end else None,
        )  # fmt: skip
        counts = {
            "episodes": len(chosen.episode_rows), "claims": chosen.claims, "facts": chosen.facts,
            "sessions": chosen.sessions,
        }  # fmt: skip
        counted = ", ".join(f"{count} {name}" for name, count in counts.items())
        if not yes:
            session.emit({"would_erase": counts}, f"Would erase {counted}. Repeat with --yes to do it.")
            return
        memory.erase(chosen)
    tell("Backups and exports that were made before still hold the words.")
    session.emit({"erased": counts}, f"Erased {counted}; no byte of them is left in {session.db}.")


COMMANDS = (correct, retract, erase)
