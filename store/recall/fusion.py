"""Fusion sees numbers and ranks only: the same channels give the same order, whichever came first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]


def weighted(features: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The weighted sum of normalised features, one score per candidate. Features without a weight say nothing."""
    import numpy as np

    weighed = np.array([features[name] for name in weights], dtype=np.float32)
    weighed *= np.array(list(weights.values()), dtype=np.float32)[:, None]
    scores: Floats = weighed.sum(axis=0, dtype=np.float64).astype(np.float32)
    return scores


def ranks_of(scores: Floats, rows: npt.NDArray[np.int64]) -> dict[int, int]:
    """Rank from 1 of every row whose score is above 0; the newer row first where scores are equal."""
    import numpy as np

    order = np.lexsort((-rows, -scores))
    ranked = rows[order[scores[order] > 0]].tolist()
    return dict(zip(ranked, range(1, len(ranked) + 1), strict=True))
