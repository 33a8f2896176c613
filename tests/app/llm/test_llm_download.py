"""A model that is fetched is whole and what it was said to be, or not there; what has come is not fetched twice."""

from __future__ import annotations

import hashlib
import io
import json
import resource
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request

import pytest

from app.llm import download
from app.llm.catalogue import FileToFetch, Offer, check_address, offers, recommended, wanted
from app.llm.download import fetch
from app.llm.fetch import Step
from app.llm.halves import ResponseHeaders, halves
from store.errors import BadInput, ModelUnavailable
from tests.app.llm.host import Host, serving
from tests.app.llm.making import gguf

MODEL = gguf(elements=50_000)


class Room(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr(download, "WAITS", (0.0, 0.0))
    with serving(Host(MODEL)) as one:
        yield one


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def asked_for(host: Host, *, sha256: str | None = None, size: int | None = None) -> FileToFetch:
    return FileToFetch("tiny", host.address, "tiny-q4.gguf", size, sha256)


def run(host: Host, models: Path) -> list[Step]:
    return list(fetch(asked_for(host), models))


def left(models: Path) -> list[str]:
    return sorted(path.name for path in models.iterdir())


def ranges(host: Host) -> list[str | None]:
    """What was asked of the server that gives the file."""
    return [span for path, span in host.asked if path.startswith("/cdn/") or not host.redirects]


def test_it_follows_the_redirect_checks_the_digest_and_leaves_nothing_else(host: Host, models: Path) -> None:
    steps = run(host, models)
    assert steps[-1] == Step("tiny-q4.gguf is here.", 1.0, models / "tiny-q4.gguf")
    assert (models / "tiny-q4.gguf").read_bytes() == MODEL
    assert stat.S_IMODE((models / "tiny-q4.gguf").stat().st_mode) == 0o600
    assert left(models) == ["tiny-q4.gguf"]
    assert "already there" in run(host, models)[0].sentence
    assert len(host.asked) == 2, "the second time nobody is asked"


def test_nothing_but_the_name_of_the_program_is_sent(host: Host, models: Path) -> None:
    run(host, models)
    assert host.heard == [{"Host", "User-Agent", "Accept-Encoding", "Connection"}] * 2


def test_a_cut_connection_is_taken_up_where_it_broke(host: Host, models: Path) -> None:
    host.cuts = [70_000, 50_000]
    steps = run(host, models)
    assert ranges(host) == [None, "bytes=70000-", "bytes=120000-"]
    assert sum("another attempt" in step.sentence for step in steps) == 2
    assert (models / "tiny-q4.gguf").read_bytes() == MODEL


def test_the_seconds_until_another_attempt_are_counted_down(
    host: Host, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "WAITS", (3.0,))
    monkeypatch.setattr("app.llm.download.time.sleep", lambda _seconds: None)
    host.cuts = [len(MODEL) // 2]
    steps = [step for step in run(host, models) if "another attempt" in step.sentence]
    assert [step.sentence.rpartition("; ")[2] for step in steps] == [
        "another attempt in 3 s.", "another attempt in 2 s.", "another attempt in 1 s.", "this is another attempt.",
    ]  # fmt: skip
    assert [step.share for step in steps] == [None, *[pytest.approx(0.5, abs=0.001)] * 3]


def test_what_came_outlives_a_server_that_stays_away(host: Host, models: Path) -> None:
    host.cuts = [70_000, 0, 0, 0]
    with pytest.raises(ModelUnavailable, match=r"ended too early; 0 MB are kept.*Check the connection"):
        run(host, models)
    (half,) = halves(models)
    assert (half.wanted, half.done, half.size) == (asked_for(host), 70_000, len(MODEL))
    assert run(host, models)[-1].path == models / "tiny-q4.gguf"
    assert ranges(host)[-1] == "bytes=70000-"
    assert halves(models) == []


def test_a_pause_keeps_what_came(host: Host, models: Path) -> None:
    host.pause = 0.05
    steps = fetch(asked_for(host), models)
    next(steps)
    steps.close()
    (half,) = halves(models)
    assert 0 < half.done < len(MODEL)
    assert run(host, models)[-1].path is not None
    assert ranges(host) == [None, f"bytes={half.done}-"]


def test_a_file_that_changed_meanwhile_is_fetched_from_the_beginning(host: Host, models: Path) -> None:
    host.cuts = [70_000, 0, 0, 0]
    with pytest.raises(ModelUnavailable):
        run(host, models)
    host.content = gguf({"general.name": "Newer"}, elements=50_000)
    steps = run(host, models)
    assert "from the beginning" in steps[0].sentence
    assert (models / "tiny-q4.gguf").read_bytes() == host.content


def test_a_server_that_ignores_range_is_asked_for_all(host: Host, models: Path) -> None:
    host.cuts, host.ignores_range = [70_000], True
    steps = run(host, models)
    assert ranges(host) == [None, "bytes=70000-", None]
    assert any("from the beginning" in step.sentence for step in steps)
    assert (models / "tiny-q4.gguf").read_bytes() == MODEL


def test_a_part_that_is_whole_is_only_checked(host: Host, models: Path) -> None:
    host.cuts = [len(MODEL) - 1, 0, 0, 0]
    with pytest.raises(ModelUnavailable):
        run(host, models)
    with (models / ".tiny-q4.gguf.part").open("ab") as file:
        file.write(MODEL[-1:])
    assert run(host, models)[-1].path is not None
    assert ranges(host)[-1] == f"bytes={len(MODEL)}-"


def test_a_wrong_digest_leaves_nothing(host: Host, models: Path) -> None:
    host.digest = "0" * 64
    with pytest.raises(ModelUnavailable, match=r"SHA-256 differs.*nothing of it is kept"):
        run(host, models)
    assert left(models) == []


def test_a_server_that_speaks_of_another_file_than_the_table_gives_nothing(host: Host, models: Path) -> None:
    for known in ({"sha256": "1" * 64}, {"size": 12}):
        with pytest.raises(ModelUnavailable, match="another file under this address"):
            list(fetch(replace(asked_for(host), **known), models))
        assert left(models) == []


def test_the_table_is_held_to_where_the_server_says_no_digest(host: Host, models: Path) -> None:
    host.digest = ""
    with pytest.raises(ModelUnavailable, match="SHA-256 differs"):
        list(fetch(asked_for(host, sha256="1" * 64), models))
    good = hashlib.sha256(MODEL).hexdigest()
    assert list(fetch(asked_for(host, sha256=good), models))[-1].sentence == "tiny-q4.gguf is here."


def test_without_any_digest_it_says_so(host: Host, models: Path) -> None:
    host.digest = ""
    assert "no checksum" in run(host, models)[-1].sentence


def test_a_digest_in_the_etag_of_a_plain_server(host: Host, models: Path) -> None:
    host.redirects = False
    assert run(host, models)[-1].sentence == "tiny-q4.gguf is here."
    models.joinpath("tiny-q4.gguf").unlink()
    host.digest = "2" * 64
    with pytest.raises(ModelUnavailable, match="SHA-256 differs"):
        run(host, models)


def test_a_disk_without_room_is_found_out_before(
    host: Host, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Room(10**9, 5, 60_500_000))
    host.content = gguf(elements=1_300_000)
    said = r"needs 6 MB more in .*, where 68 MB stay free, and 61 MB are free: make room for 12 MB and fetch"
    with pytest.raises(ModelUnavailable, match=said):
        run(host, models)
    assert left(models) == []


def test_a_disk_that_fills_up_keeps_what_came(host: Host, models: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(ModelUnavailable, match=r"cannot be written to .*: make room"):
            run(host, models)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    (half,) = halves(models)
    assert half.done == 100_000
    assert run(host, models)[-1].path is not None
    assert ranges(host)[-1] == "bytes=100000-"


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "no such file"), (401, "signed in"), (403, "signed in"), (400, "answered 400"), (503, "not ready")],
)
def test_a_server_that_refuses(host: Host, models: Path, status: int, words: str) -> None:
    host.status = status
    with pytest.raises(ModelUnavailable, match=words):
        run(host, models)
    assert left(models) == []


def test_a_page_is_no_model(host: Host, models: Path) -> None:
    host.content = b"<html>Please sign in</html>" * 100
    with pytest.raises(ModelUnavailable, match="gives no GGUF file"):
        run(host, models)
    assert left(models) == []


def test_a_model_that_cannot_chat_is_not_kept(host: Host, models: Path) -> None:
    host.content = gguf({"general.architecture": "bert"})
    with pytest.raises(ModelUnavailable, match=r"tiny-q4.gguf is a bert model"):
        run(host, models)
    assert left(models) == []


def test_a_silent_server_is_given_up(host: Host, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "SILENCE", 0.2)
    monkeypatch.setattr(download, "WAITS", ())
    host.hangs = threading.Event()
    with pytest.raises(ModelUnavailable, match="fell silent"):
        run(host, models)
    assert halves(models)[0].done == len(MODEL) // 2


def test_nobody_there(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "WAITS", ())
    with serving(Host(MODEL)) as gone:
        pass
    with pytest.raises(ModelUnavailable, match=r"cannot be reached.*Check the connection"):
        run(gone, models)


def test_two_programs_do_not_write_one_file(host: Host, models: Path) -> None:
    host.pause = 0.02
    first = fetch(asked_for(host), models)
    next(first)
    with pytest.raises(ModelUnavailable, match="being fetched already"):
        run(host, models)
    assert list(first)[-1].path is not None


def test_another_file_of_the_name_is_left_alone(host: Host, models: Path) -> None:
    models.mkdir()
    (models / "tiny-q4.gguf").write_bytes(b"mine")
    with pytest.raises(ModelUnavailable, match="move it away"):
        list(fetch(asked_for(host, size=len(MODEL)), models))
    assert (models / "tiny-q4.gguf").read_bytes() == b"mine"


def test_a_process_of_its_own_says_its_steps_and_can_be_killed(host: Host, models: Path) -> None:
    host.pause = 0.1
    command = [sys.executable, "-m", "app.llm.download", json.dumps(asdict(asked_for(host))), str(models)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert "Fetching tiny" in json.loads(child.stdout.readline())["sentence"]
        child.kill()
    assert halves(models)[0].done > 0
    host.pause = 0.0
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1])["path"] == str(models / "tiny-q4.gguf")
    host.status = 404
    command[3] = json.dumps(asdict(replace(asked_for(host), file="other.gguf")))
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)) == (1, {"problem": "tiny: there is no such file."})


def test_the_table_names_whole_files_at_one_revision_smallest_first() -> None:
    table = offers()
    assert [one.size for one in table] == sorted(one.size for one in table)
    for one in table:
        assert len(bytes.fromhex(one.sha256)) == 32 and len(bytes.fromhex(one.revision)) == 20
        assert one.licence in ("Apache-2.0", "MIT")
        assert wanted(one.name) == wanted(one.wanted.address) == one.wanted
        assert one.wanted.address == f"https://huggingface.co/{one.repository}/resolve/{one.revision}/{one.file}"


@pytest.mark.parametrize(
    ("gigabytes", "names"),
    [
        (2, ["qwen2.5-0.5b"]),
        (4, ["qwen2.5-0.5b", "qwen2.5-1.5b"]),
        (8, ["qwen2.5-0.5b", "qwen2.5-1.5b", "qwen3-4b"]),
        (16, ["qwen2.5-1.5b", "qwen3-4b", "qwen2.5-7b"]),
        (32, ["qwen3-4b", "qwen2.5-7b", "qwen2.5-14b"]),
        (64, ["qwen2.5-7b", "qwen2.5-14b", "qwen3-30b-a3b"]),
        (None, ["qwen2.5-0.5b", "qwen2.5-1.5b", "qwen3-4b"]),
    ],
)
def test_what_is_recommended_leaves_half_of_the_memory(gigabytes: int | None, names: list[str]) -> None:
    memory = None if gigabytes is None else gigabytes * 2**30
    assert [one.name for one in recommended(memory)] == names


def test_an_address_is_https_or_of_this_machine() -> None:
    for good in ("https://example.org/m.gguf", "http://127.0.0.1:9/m.gguf", "http://localhost/m.gguf"):
        check_address(good)
    for bad in ("http://example.org/m.gguf", "file:///etc/passwd", "ftp://example.org/m.gguf", "https://", "https://["):
        with pytest.raises(BadInput):
            check_address(bad)
    with pytest.raises(BadInput):
        check_address("http://127.0.0.1/m.gguf", before="https://example.org/m.gguf")


def test_a_page_of_the_hub_and_a_short_form_stand_for_the_file() -> None:
    page = wanted("https://huggingface.co/some/thing/blob/main/model-q4.gguf?download=true")
    assert page.address == "https://huggingface.co/some/thing/resolve/main/model-q4.gguf"
    assert (page.file, page.name) == ("model-q4.gguf", "model-q4.gguf")
    assert wanted("some/thing/model-q4.gguf") == page


@pytest.mark.parametrize(
    "text", ["nothing", "", "https://example.org/", "https://example.org/..%2F", "https://e.org/.x.gguf",
             "https://e.org/m-00001-of-00003.gguf", "http://example.org/m.gguf"],
)  # fmt: skip
def test_what_names_no_model(text: str) -> None:
    with pytest.raises(BadInput):
        wanted(text)


def test_a_redirect_out_of_https_is_refused(host: Host) -> None:
    request = Request("https://example.org/m.gguf")
    with pytest.raises(BadInput, match="https addresses only"):
        download.Redirects(ResponseHeaders()).redirect_request(request, io.BytesIO(), 302, "", {}, host.address)


def test_an_offer_says_what_memory_it_needs() -> None:
    one = Offer("n", "t", "a", "o/r", "0", "f.gguf", 10**9, "", "MIT", 4096)
    assert one.memory == 1_900_000_000
