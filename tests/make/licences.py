"""The licences of everything that runs with Erstwhile, as the packages that are installed state them.

    python -m tests.make.licences > models/LICENSES-THIRD-PARTY.md

A row for each package that Erstwhile needs at run time on this system, and for each that those need, and so on. What is
only for development (`.[dev]`, `.[train]`) does not come along, and is not listed.
"""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

TABLE = Path(__file__).resolve().parents[2] / "models" / "LICENSES-THIRD-PARTY.md"
HEAD = """# Licences of what runs with Erstwhile

Erstwhile is under the MIT licence ([LICENSE](../LICENSE)), and the weights in this folder are under Apache-2.0
([text](LICENSE-APACHE-2.0.txt), [where they come from](README.md)). Nothing else lies in this repository. The packages
below are installed beside it from the package registry, each under its own licence, whose text it brings along. Made by
`python -m tests.make.licences`; a test compares it with what is installed.

| package | licence |
|---|---|"""
_SHORT = 60
_BY_ITS_TEXT = {"click-default-group": "BSD-3-Clause"}
"""Packages whose licence file says something else than their metadata."""


def needed(name: str = "erstwhile") -> dict[str, Distribution]:
    """Every package that this one needs at run time on this system, by its name, the others' needs included."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        one = distribution(waiting.pop())
        for text in one.requires or ():
            wanted = Requirement(text)
            key = re.sub(r"[-_.]+", "-", wanted.name).lower()
            if key in found or not (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
                continue
            try:
                found[key] = distribution(wanted.name)
            except PackageNotFoundError:
                raise SystemExit(f"{wanted.name} is needed and not installed: run `make`.") from None
            waiting.append(wanted.name)
    return dict(sorted(found.items()))


def licence_of(package: Distribution) -> str:
    """What a package says of its licence: the expression, else a short text, else the classifiers; "" for nothing."""
    about = package.metadata
    if (known := _BY_ITS_TEXT.get(str(about["Name"]).lower())) is not None:
        return known
    said = about["License-Expression"] or about["License"] or ""
    if 0 < len(said) <= _SHORT and "\n" not in said:
        return said
    listed = [one for one in about.get_all("Classifier") or () if one.startswith("License ::")]
    return ", ".join(one.rpartition(" :: ")[2] for one in listed) or said.strip().partition("\n")[0]


def table() -> str:
    """The whole file."""
    rows = [f"| {name} | {licence_of(package)} |" for name, package in needed().items()]
    return "\n".join([HEAD, *rows]) + "\n"


if __name__ == "__main__":
    print(table(), end="")
