"""A judge sees the question, the wanted answer and the given one, and nothing of the memory; it lives on this machine.

The prompts are LongMemEval's own (Wu et al., ICLR 2025, evaluate_qa.py), word for word, by type of question. LoCoMo
publishes no judge: its questions are judged by the general one, its temporal ones by that for time, its unanswerable
ones by that for abstention.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.evaluation.cases import Case
from store.errors import BadInput, ModelUnavailable
from store.protocols import Message

if TYPE_CHECKING:
    from store.protocols import LanguageModel

Judge = Callable[[str], str]  # a prompt in, the reply out. Raises ModelError.

PATIENCE = 300.0  # seconds for one reply of a judge
LONGEST_VERDICT = 16  # tokens: "yes" or "no"

_GENERAL = (
    "I will give you a question, a correct answer, and a response from a model. Please answer yes if the response "
    "contains the correct answer. Otherwise, answer no. "
)
_WHOLE = (
    "If the response is equivalent to the correct answer or contains all the intermediate steps to get the correct "
    "answer, you should also answer yes. If the response only contains a subset of the information required by the "
    "answer, answer no. "
)
_DAYS = (
    "In addition, do not penalize off-by-one errors for the number of days. If the question asks for the number of "
    "days/weeks/months, etc., and the model makes off-by-one errors (e.g., predicting 19 days when the answer is 18), "
    "the model's response is still correct. "
)
_UPDATED = (
    "If the response contains some previous information along with an updated answer, the response should be "
    "considered as correct as long as the updated answer is the required answer."
)
_RUBRIC = (
    "I will give you a question, a rubric for desired personalized response, and a response from a model. Please "
    "answer yes if the response satisfies the desired response. Otherwise, answer no. The model does not need to "
    "reflect all the points in the rubric. The response is correct as long as it recalls and utilizes the user's "
    "personal information correctly."
)
_ABSTAINED = (
    "I will give you an unanswerable question, an explanation, and a response from a model. Please answer yes if the "
    "model correctly identifies the question as unanswerable. The model could say that the information is incomplete, "
    "or some other information is given but the asked information is not."
)
_CORRECT = "Is the model response correct? Answer yes or no only."
_IDENTIFIED = "Does the model correctly identify the question as unanswerable? Answer yes or no only."


def prompt(case: Case, given: str) -> str:
    """What the judge is asked about one answer."""
    head, named, asked = _GENERAL + _WHOLE, "Correct Answer", _CORRECT
    if not case.answerable:
        head, named, asked = _ABSTAINED, "Explanation", _IDENTIFIED
    elif case.category in ("temporal-reasoning", "2 temporal"):
        head = _GENERAL + _WHOLE + _DAYS
    elif case.category == "knowledge-update":
        head = _GENERAL + _UPDATED
    elif case.category == "single-session-preference":
        head, named = _RUBRIC, "Rubric"
    wanted = case.answer or "The conversation does not say."
    return f"{head}\n\nQuestion: {case.question}\n\n{named}: {wanted}\n\nModel Response: {given}\n\n{asked}"


def verdict(reply: str) -> bool:
    """What the judge said, read as LongMemEval reads it: right if there is a "yes" in it."""
    return "yes" in reply.lower()


def by_model(model: LanguageModel) -> Judge:
    """A model file as the judge."""
    return lambda text: "".join(model.chat([Message("user", text)], max_tokens=LONGEST_VERDICT))


def by_address(url: str) -> Judge:
    """An OpenAI-compatible server on this machine, told by its address, as the judge. Raises BadInput for others."""
    address = urlsplit(url)
    host = address.hostname or ""
    try:
        port = address.port or 80
        is_here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if address.scheme != "http" or not is_here:
        raise BadInput(f"{url} is not on this machine; a judge is a GGUF file or http://127.0.0.1:PORT.")
    path = address.path.rstrip("/") or "/v1"
    path = path if path.endswith("/chat/completions") else f"{path}/chat/completions"

    def posted(text: str) -> str:
        messages = [{"role": "user", "content": text}]
        body = {"model": "judge", "messages": messages, "temperature": 0, "max_tokens": LONGEST_VERDICT}
        with closing(HTTPConnection(host, port, timeout=PATIENCE)) as connection:
            try:
                connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
                answer = connection.getresponse()
                document: Any = json.loads(answer.read())
                if answer.status != 200:
                    raise ModelUnavailable(f"The judge at {host}:{port} says {answer.status}; look at its log.")
                return str(document["choices"][0]["message"]["content"])
            except (OSError, HTTPException, ValueError, LookupError, TypeError) as error:
                said = f"The judge at {host}:{port} gives no verdict ({error}); is it running?"
                raise ModelUnavailable(said) from error

    return posted
