"""`--help` imports neither Textual nor llama.cpp nor SQLite: each verb imports what it needs when it runs.

The table below says where each verb lives and what it does in one line; a test holds it against the verbs themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click

from app import __version__
from app.cli.session import passphrases_in, which_memory
from store.errors import UsageError

VERBS: dict[str, tuple[str, str]] = {
    "ask": ("asking", "Ask a question; the answer comes with its sources."),
    "recall": ("asking", "Find the turns that bear on a query, ranked."),
    "facts": ("asking", "What is believed, now or at other times."),
    "chain": ("asking", "How one belief changed, and why."),
    "changes": ("asking", "What began or ceased to be believed between two dates."),
    "timeline": ("asking", "Every belief there ever was, along world time."),
    "when": ("asking", "How the expressions of time in a text are read."),
    "brief": ("overview", "What changed, what is disputed, coming up, fading."),
    "summary": ("overview", "A conversation, day, week or month in its own sentences."),
    "profile": ("overview", "Who I am, whom I know, what happened, how I like things."),
    "fading": ("overview", "What nobody has spoken of for long, and what is core."),
    "remember": ("writing", "Keep a text, and say what it taught."),
    "import": ("writing", "Add conversations from files."),
    "export": ("writing", "Write all that cannot be made again to a file that import reads."),
    "sleep": ("keeping", "Read what was not yet read, fold the beliefs anew, and sum up."),
    "check": ("keeping", "Look at the whole file and change nothing."),
    "rebuild": ("keeping", "Make everything that is derived again."),
    "encrypt": ("keeping", "Encrypt the memory; change its passphrase; decrypt it."),
    "backup": ("keeping", "Copy the live file, and check the copy."),
    "merge": ("keeping", "Take over what another memory holds."),
    "where": ("keeping", "Where the file, the models and the settings are."),
    "log": ("keeping", "The log of decisions, newest first."),
    "undo": ("keeping", "Take back what was done by hand, or by a sleep."),
    "sessions": ("keeping", "Every conversation, the latest first."),
    "correct": ("byhand", "Say what is right."),
    "confirm": ("byhand", "Say that what was unsure is so."),
    "retract": ("byhand", "Say that a belief never held."),
    "restore": ("byhand", "Bring back a dropped belief, or the memory from a backup."),
    "resolve": ("byhand", "Settle a dispute: this one is right."),
    "pin": ("byhand", "Keep a belief in view."),
    "unpin": ("byhand", "Let a pinned belief go."),
    "people": ("byhand", "Everybody and everything that is known, with their names."),
    "same": ("byhand", "Say that two names are one."),
    "different": ("byhand", "Say that a name is somebody else."),
    "erase": ("byhand", "Delete for good, after showing what would go."),
    "models": ("models", "The language models on this machine: list, use, test, get, engine."),
    "mcp": ("serving", "Serve the memory to another program, by the Model Context Protocol."),
    "eval": ("measuring", "Measure the memory on LoCoMo or LongMemEval."),
}
"""Verb: (module under app.cli.verbs, what it does)."""


class Verbs(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        commands: tuple[click.Command, ...] = import_module(f"app.cli.verbs.{VERBS[cmd_name][0]}").COMMANDS
        return next(command for command in commands if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, what) for name, (_, what) in VERBS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS:
            import difflib

            near = difflib.get_close_matches(args[0], VERBS, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"There is no verb {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--demo", is_flag=True, help="Open a made-up year of memories, in a scratch file.")
@click.option("--off-the-record", is_flag=True, help="Begin with a chat that leaves no trace on the disk.")
@click.option("--set-up", is_flag=True, help="Beside the app, fetch and build what a model needs, where it is missing.")
@click.version_option(__version__, prog_name="erstwhile")
@click.pass_context
def cli(
    context: click.Context, db: Path | None, profile: str | None, passphrase_file: Path | None, zone: str | None,
    demo: bool, off_the_record: bool, set_up: bool,
) -> None:  # fmt: skip
    """A terminal chat that remembers, and can say what you believed when.

    Without a verb it opens the app. Flags come before the environment (ERSTWHILE_DB, ERSTWHILE_PROFILE,
    ERSTWHILE_HOME), and the environment before the defaults. Data goes to stdout, talk to stderr; exit codes: 0 fine,
    1 failed, 2 wrong usage.
    """
    if context.invoked_subcommand is None:
        if demo and profile is not None:
            raise UsageError("--demo opens a memory of its own; leave --profile out.")
        opens: Callable[..., None] = context.obj
        opens(
            db, profile, zone, demo=demo, off_the_record=off_the_record, set_up_first=set_up,
            passphrases=passphrases_in(passphrase_file),
        )  # fmt: skip


cli.params[:0] = which_memory(makes=True)
