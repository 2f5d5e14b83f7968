"""Sets are fetched whole or not at all."""

from __future__ import annotations

import hashlib
import http.server
import threading
from functools import partial

import pytest

from gec_fair.errors import InputError, MissingResource
from gec_fair.evaluate.evalsets import catalogue, fetch
from gec_fair.evaluate.evalsets.catalogue import present
from tests.cli.test_cli import gec_fair
from tests.evaluate.twin_sets import PERFECT, write_set

COMMIT = "0" * 40


class Quiet(http.server.SimpleHTTPRequestHandler):
    requests: list[str] = []  # noqa: RUF012

    def do_GET(self):
        self.requests.append(self.path)
        super().do_GET()

    def log_message(self, *words):
        pass


@pytest.fixture
def host(tmp_path):
    """A server that holds a public set of our own making, as the real one does."""
    root = tmp_path / "public"
    write_set(root / "o" / "r" / COMMIT / "data")
    folder = root / "o" / "r" / COMMIT / "data"
    for stem, text in (("mine_orig", PERFECT["orig"]), ("mine_st_aug", PERFECT["aug"])):
        (folder / f"{stem}.tgt.txt").write_text(text.removesuffix("\n"))
    Quiet.requests = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def public(tmp_path, monkeypatch):
    """The manifest knows that set."""
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GEC_FAIR_EVALSETS", raising=False)
    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)
    folder = tmp_path / "public" / "o" / "r" / COMMIT / "data"
    entry = {
        "kind": "st",
        "items": 3,
        "about": "a test",
        "repository": "o/r",
        "commit": COMMIT,
        "folder": "data",
        "orig": "mine_orig",
        "aug": "mine_st_aug",
    }

    def shipped():
        digests = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.glob("*") if "tgt" not in p.name}
        return {"public": {"sha256": digests, **entry}}

    monkeypatch.setattr(catalogue, "read_known", shipped)
    return entry, folder


def test_a_set_is_fetched_checked_and_found(host, public, tmp_path):
    assert present() == []
    folder = fetch.get("public", host=host)
    assert folder.orig.m2.parent == tmp_path / "cache" / "evalsets" / "public"
    assert folder.aug.target is not None
    assert len(Quiet.requests) == 6
    assert fetch.get("public", host=host) == folder
    assert len(Quiet.requests) == 6  # nothing is fetched again


def test_a_fetch_that_stopped_goes_on_and_half_a_set_is_never_found(host, public, tmp_path):
    _, folder = public
    missing = folder / "mine_st_aug.m2"
    content = missing.read_bytes()
    digests = catalogue.read_known()
    missing.unlink()
    with pytest.raises(MissingResource, match="cannot be fetched"):
        evalsets_get_with(digests, host)
    assert present() == []
    missing.write_bytes(content)
    fetch.get("public", host=host)
    assert present() == ["public"]
    assert sum("mine_orig.m2" in path for path in Quiet.requests) == 1  # a complete file is not fetched again


def test_what_a_killed_process_leaves_is_no_set_and_does_not_stay(host, public, tmp_path):
    waiting = tmp_path / "cache" / "evalsets" / "public.partial"
    waiting.mkdir(parents=True)
    (waiting / "tmp1234").write_text("half a fi")
    assert "public.partial" not in catalogue.read_known()
    folder = fetch.get("public", host=host)
    assert len(list(folder.orig.m2.parent.iterdir())) == 6


def evalsets_get_with(digests, host):
    """Fetch while the manifest still names the file that the server has lost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "read_known", lambda: digests)
        fetch.get("public", host=host)


def test_other_bytes_than_the_published_ones_are_refused(host, public):
    digests = catalogue.read_known()
    _, folder = public
    (folder / "mine_orig.src.txt").write_text("something else")
    with pytest.raises(InputError, match=r"is not the (published file|file that it was)"):
        evalsets_get_with(digests, host)
    assert present() == []


def test_a_target_that_the_edits_do_not_give_is_refused(host, public):
    _, folder = public
    (folder / "mine_orig.tgt.txt").write_text(
        "My boss lost his hat .\nHe had a dog .\nAnna put her keys on the table ."
    )
    with pytest.raises(InputError, match=r"mine_orig.tgt.txt:2: is not what the edits of mine_orig.m2 give"):
        fetch.get("public", host=host)
    assert present() == []


def test_offline_says_what_is_missing_and_where_it_comes_from(host, public, monkeypatch):
    with pytest.raises(MissingResource, match=r"downloads are forbidden .*/o/r/0{40}/data/mine_orig.src.txt"):
        fetch.get("public", host=host, offline=True)
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    with pytest.raises(MissingResource, match="downloads are forbidden"):
        fetch.get("public", host=host)
    assert Quiet.requests == []


def test_the_commands_list_and_build(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    folder = write_set(tmp_path / "set")
    code, out, _ = gec_fair("evalset", "list")
    assert code == 0
    assert "| they-probe | st | 170 | yes |" in out
    assert "| bea-195 | st | 195 |" in out
    code, out, _ = gec_fair(
        "evalset", "build", "--transform", "fm", "--from", folder / "mine_orig.m2", "-o", tmp_path / "b"
    )
    assert (code, out.splitlines()[0].rpartition(": ")[2]) == (0, "3 augmented, 0 discarded, 0 left, 0 unchanged")
    code, _, err = gec_fair("evalset", "fetch", "bea-196")
    assert code == 2
    assert "to be fetched: bea-195, bea-556" in err
