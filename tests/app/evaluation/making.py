"""A benchmark in small: the forms of LoCoMo and LongMemEval, about nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LOCOMO: list[dict[str, Any]] = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ines",
            "speaker_b": "Otto",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ines", "dia_id": "D1:1", "text": "Hi Otto! What did you do last week?"},
                {"speaker": "Otto", "dia_id": "D1:2", "text": "I started pottery lessons at the mill in Deptford."},
                {"speaker": "Ines", "dia_id": "D1:3", "text": "I adopted a cat called Miso yesterday."},
            ],
            "session_2_date_time": "9:00 am on 3 June, 2023",
            "session_2": [{"speaker": "Otto", "dia_id": "D2:1", "text": "I sold my old canoe to a neighbour."}],
        },
        "qa": [
            {"question": "Where did Otto start pottery lessons?", "answer": "Deptford", "evidence": ["D1:2"],
             "category": 4},
            {"question": "When did Ines adopt a cat?", "answer": "7 May 2023", "evidence": ["D1:3"], "category": 2},
            {"question": "How many canoes did Otto sell?", "answer": 1, "evidence": ["D2:1 D1:2", "D"], "category": 1},
            {"question": "Where did Ines start pottery lessons?", "adversarial_answer": "Deptford",
             "evidence": ["D1:2"], "category": 5},
        ],
    }
]  # fmt: skip

LONGMEMEVAL: list[dict[str, Any]] = [
    {
        "question_id": f"q{number}{suffix}", "question_type": "single-session-user",
        "question": question, "answer": answer, "question_date": "2023/06/10 (Sat) 10:00",
        "haystack_session_ids": ["answer_1", "noise_1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/22 (Mon) 09:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "My allotment is plot 17, next to the railway.", "has_answer": True},
             {"role": "assistant", "content": "A fine place for beans."}],
            [{"role": "user", "content": "Which knot holds a hammock?"},
             {"role": "assistant", "content": "A becket hitch does."}],
        ],
        "answer_session_ids": ["answer_1"],
    }
    for number, (suffix, question, answer) in enumerate(
        [("", "Which plot is my allotment?", "plot 17"), ("_abs", "How many beehives do I keep?", "You never said.")]
    )
]  # fmt: skip


def written(folder: Path, name: str, items: list[dict[str, Any]], *, as_lines: bool = False) -> Path:
    """The items in a file, as one array or as a line each."""
    path = folder / name
    text = "\n".join(json.dumps(one) for one in items) if as_lines else json.dumps(items)
    path.write_text(text, encoding="utf-8")
    return path
