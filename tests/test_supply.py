"""What is installed is named, with the hash of each of its files, and so is the licence under which it is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.make.licences import TABLE, licence_of, needed

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = ("requirements.lock", "requirements-dev.lock", "requirements-encryption.lock")
LOCKS = [(ROOT / name).read_text(encoding="utf-8") for name in NAMES]
BLOCK = re.compile(r"(?m)^[a-z0-9].*(?:\n    --hash=\S+(?: \\)?)*")
BLOCKS = [block for lock in LOCKS for block in BLOCK.findall(lock)]
"""Each package of the lock files, with its hashes."""


def pinned(block: str) -> tuple[str, str]:
    """(name, version)"""
    found = re.match(r"([a-z0-9._-]+)==([^ ]+)", block)
    assert found is not None, block
    return found[1], found[2]


def test_every_package_of_the_lock_is_one_version_with_the_hashes_of_its_files() -> None:
    for lock in LOCKS:
        assert "".join(f"{one}\n" for one in BLOCK.findall(lock)) == lock, "every line belongs to a package"
    for block in BLOCKS:
        assert pinned(block) and re.search(r"--hash=sha256:[0-9a-f]{64}", block), block


@pytest.mark.parametrize("wanted", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]])
def test_the_lock_holds_what_is_asked_for(wanted: str) -> None:
    asked = Requirement(wanted)
    versions = [version for name, version in map(pinned, BLOCKS) if name == asked.name]
    assert versions and all(asked.specifier.contains(one) for one in versions), "run `make lock`"


def test_whatever_runs_with_it_is_pinned_and_its_licence_is_told() -> None:
    told = dict(re.findall(r"(?m)^\| ([a-z0-9-]+) \| (.+) \|$", TABLE.read_text(encoding="utf-8")))
    locked = {name for name, _ in map(pinned, BLOCKS)}
    found = {name: licence_of(package) for name, package in needed().items()}
    assert all(found.values()), "each states one"
    assert found.keys() <= locked
    assert {name: told.get(name) for name in found} == found, "run tests.make.licences"


def test_no_licence_forbids_to_pass_it_on_or_asks_for_the_source_of_what_uses_it() -> None:
    told = TABLE.read_text(encoding="utf-8")
    assert not re.search(r"\b(?:A?GPL|SSPL|BUSL|NonCommercial|Proprietary)", told)
