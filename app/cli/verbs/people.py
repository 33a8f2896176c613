"""Whoever is known is listed under one name with all their others, and who is who can be said, and taken back."""

from __future__ import annotations

import click

from app.cli.session import CommandContext, command
from store.beliefs.entities import in_words
from store.memory import Memory
from store.records import Entity
from widgets.plain import one_line

Json = dict[str, object]


def entity_json(entity: Entity) -> Json:
    return {
        "id": entity.id, "name": entity.name, "kind": entity.kind, "relation": entity.relation,
        "aliases": [in_words(alias) for alias in entity.aliases],
    }  # fmt: skip


def entity_line(entity: Entity) -> str:
    """One line for people: the name, what they are to the person, and their other names."""
    own = in_words(entity.id).casefold()
    others = [one for one in map(in_words, entity.aliases) if one not in (own, entity.name.casefold())]
    what = entity.relation or (entity.kind if entity.id != "me" else "the person")
    also = f"  also {', '.join(one_line(one, 40) for one in others)}" if others else ""
    return f"{one_line(entity.name, 40):<24} {one_line(what, 20):<14}{also}".rstrip()


def _emit(session: CommandContext, memory: Memory, entity: Entity) -> None:
    """Whom the name means now, and the number by which what was done can be taken back."""
    number = memory.log.operations(limit=1)[0].id
    session.emit(
        {"entity": entity_json(entity), "operation": number},
        entity_line(entity),
        f"    `erstwhile undo {number}` takes this back.",
    )


@click.command()
@click.option("--all", "everything", is_flag=True, help="Things, too, and not only people and pets.")
@command
def people(session: CommandContext, everything: bool) -> None:
    """Everybody who is known, what they are to you, and their other names."""
    with session.memory(reading=True) as memory:
        found = [entity for entity in memory.people.entities() if everything or entity.kind in ("person", "pet")]
    session.emit(
        {"entities": [entity_json(one) for one in found]},
        *([entity_line(one) for one in found] or ["Nobody is known yet."]),
    )


@click.command()
@click.argument("one")
@click.argument("other")
@command
def same(session: CommandContext, one: str, other: str) -> None:
    """Say that ONE and OTHER are the same: two names, or a name and "my brother". What is believed of both is then
    believed of one."""
    with session.memory() as memory:
        _emit(session, memory, memory.people.same(one, other))


@click.command()
@click.argument("name")
@click.argument("other", required=False)
@command
def different(session: CommandContext, name: str, other: str | None) -> None:
    """Say that NAME is somebody else than whoever it was taken for (OTHER, if you say so)."""
    with session.memory() as memory:
        _emit(session, memory, memory.people.different(name, other))


COMMANDS = (people, same, different)
