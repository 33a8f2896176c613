"""A chat template is a program from a stranger: it runs in Jinja's immutable sandbox, bounded in time and memory.

A template that raises, escapes, loops or swells becomes one sentence. What the messages say can never become a
control token: the texts of those are broken up inside messages before the template sees them.
"""

from __future__ import annotations

import re
import resource
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

SECONDS = 5.0  # how long one rendering may take; real ones take milliseconds
ROOM = 512 * 1024 * 1024  # bytes of address space that one rendering may add
LONGEST_TEMPLATE = 1024 * 1024

PLAIN = (
    "{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ message['content'] }}\n\n"
    "{% elif message['role'] == 'user' %}User: {{ message['content'] }}\n"
    "{% else %}Assistant: {{ message['content'] }}\n{% endif %}"
    "{% endfor %}Assistant:"
)
"""For files without a template (base models): a transcript."""
PLAIN_STOP = ("\nUser:", "\nAssistant:")

_PROBE = "qzprobe"


class TemplateError(Exception):
    """The template cannot be used; the text is a sentence for the person."""


Pair = tuple[str, str]  # (role, content)


class ChatTemplate:
    """Renders conversations for one model; construction tries the template out."""

    def __init__(self, source: str | None, *, bos: str, eos: str, control: Sequence[str] = ()) -> None:
        """`control` are the texts of the vocabulary's control tokens. Raises TemplateError."""
        self.has_template = source is not None
        self._render = _compiled(PLAIN if source is None else source, bos=bos, eos=eos)
        # Longest first; single characters are left alone, since breaking them up changes nothing.
        texts = sorted({text for text in control if len(text) > 1}, key=lambda text: (-len(text), text))
        self._control = re.compile("|".join(map(re.escape, texts))) if texts else None
        self.stop = PLAIN_STOP if source is None else ()
        try:
            # Some templates raise at a system message, and some drop it silently: both mean no.
            self.system_role = _PROBE in self._run([("system", _PROBE), ("user", "hello")])
        except TemplateError:
            self.system_role = False
        self.render([("user", _PROBE), ("assistant", _PROBE), ("user", _PROBE)])

    def render(self, messages: Sequence[Pair]) -> str:
        """The prompt, ready for the assistant to speak, or to go on with what it said last. Raises TemplateError."""
        if len(messages) > 1 and messages[-1][0] == "assistant":
            prompt, begun = self.render(messages[:-1]), defused(messages[-1][1], self._control)
            if prompt.rstrip().endswith("<think>"):  # the block of thinking that it opens is over
                return f"{prompt.rstrip()}\n\n</think>\n\n{begun}"
            return prompt + begun if self.has_template else f"{prompt} {begun}"
        harmless = [(role, defused(content, self._control)) for role, content in messages]
        return self._run(alternating(harmless if self.system_role else without_system(harmless)))

    def _run(self, messages: Sequence[Pair]) -> str:
        try:
            with _bounded():
                return self._render([{"role": role, "content": content} for role, content in messages])
        except (MemoryError, TimeoutError) as error:
            raise TemplateError("The chat template in this model file takes too much time or memory.") from error
        except Exception as error:  # a template may raise anything; to the person it is all the same
            raise TemplateError(f"The chat template in this model file does not work ({_brief(error)}).") from error


def _compiled(source: str, *, bos: str, eos: str) -> Callable[[Any], str]:
    from llama_cpp.llama_chat_format import Jinja2ChatFormatter

    if len(source) > LONGEST_TEMPLATE:
        raise TemplateError("The chat template in this model file is far too long to be one.")
    try:
        with _bounded():
            formatter = Jinja2ChatFormatter(source, eos_token=eos, bos_token=bos)
    except Exception as error:  # Jinja's parser raises many kinds, and so does recursion
        raise TemplateError(f"The chat template in this model file cannot be read ({_brief(error)}).") from error
    return lambda messages: str(formatter(messages=messages).prompt)


def alternating(messages: Sequence[Pair]) -> list[Pair]:
    """Neighbours of one role become one message, since many templates insist on taking turns."""
    merged: list[Pair] = []
    for role, content in messages:
        if merged and merged[-1][0] == role:
            merged[-1] = (role, f"{merged[-1][1]}\n\n{content}")
        else:
            merged.append((role, content))
    return merged


def without_system(messages: Sequence[Pair]) -> list[Pair]:
    """System text moves to the front of the next thing that the user says."""
    return alternating([("user" if role == "system" else role, content) for role, content in messages])


def defused(text: str, control: re.Pattern[str] | None) -> str:
    """`<|im_end|>` becomes `< |im_end|>`: readable, and no control token any more."""
    if control is None:
        return text
    return control.sub(lambda match: f"{match[0][0]} {match[0][1:]}", text)


def _brief(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return (words[:120] or type(error).__name__).rstrip(".")


@contextmanager
def _bounded() -> Iterator[None]:
    """At most SECONDS and ROOM. The alarm needs the main thread, elsewhere the parent's limit holds; only Linux says
    how much memory is in use."""
    with ExitStack() as undo:
        pages = Path("/proc/self/statm")
        if pages.exists():
            soft, hard = resource.getrlimit(resource.RLIMIT_AS)
            limit = int(pages.read_text().split()[0]) * resource.getpagesize() + ROOM
            limit = limit if soft == resource.RLIM_INFINITY else min(soft, limit)
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
            undo.callback(resource.setrlimit, resource.RLIMIT_AS, (soft, hard))
        if threading.current_thread() is threading.main_thread():
            undo.callback(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, _overdue))
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            undo.callback(signal.setitimer, signal.ITIMER_REAL, 0)
        yield


def _overdue(_number: int, _frame: object) -> None:
    raise TimeoutError
