"""Public data sets are fetched whole or not at all, by name, from one commit."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from functools import partial

import pytest

from gec_fair.data import public
from gec_fair.errors import InputError, MissingResource
from tests.cli.invoke import run

COMMIT = "0" * 40
WITHOUT_SUMS = {"stereoset", "entity_tracking"}
FILES = {"pairs.csv": b"a,b\n1,2\n", "v1/nouns.json": b"{}"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A server that holds a set of our own making, and a manifest that knows it."""
    root = tmp_path / "served"
    for name, data in FILES.items():
        path = root / "o/r" / COMMIT / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    entry = {
        "about": "a test",
        "licence": "CC0",
        "repository": "o/r",
        "commit": COMMIT,
        "files": {name: f"data/{name}" for name in FILES},
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()},
    }
    monkeypatch.setattr(public, "read_catalogue", lambda: {"mine": entry})
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)
    monkeypatch.delenv("GEC_FAIR_DATA", raising=False)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("GEC_FAIR_MIRROR", f"http://127.0.0.1:{server.server_port}")
    yield root / "o/r" / COMMIT / "data"
    server.shutdown()


def test_a_set_is_fetched_with_its_folders_and_found(host, tmp_path):
    assert "| mine | no | CC0 | a test | o/r |" in run("data", "list").stdout
    done = run("data", "fetch", "mine")
    assert (done.code, done.stdout) == (0, f"mine  {tmp_path}/cache/data/mine\n")
    folder = public.find("mine", tmp_path / "cache/data")
    assert {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()} == FILES
    assert "| mine | yes |" in run("data", "list").stdout
    [row] = json.loads(run("data", "list", "--json").stdout)
    assert row == {"name": "mine", "here": True, "licence": "CC0", "about": "a test", "repository": "o/r"}
    (host / "pairs.csv").unlink()
    done = run("data", "fetch", "mine")  # files that are present are not fetched again
    assert (done.code, done.stdout) == (0, f"mine  already here, in {tmp_path}/cache/data/mine\n")


def test_other_bytes_are_refused_and_half_a_set_is_never_found(host, tmp_path):
    (host / "v1/nouns.json").write_bytes(b"{ }")
    with pytest.raises(InputError, match="is not the published file"):
        public.fetch("mine", tmp_path / "cache/data")
    with pytest.raises(MissingResource, match="gec-fair data fetch mine"):
        public.find("mine", tmp_path / "cache/data")
    (host / "v1/nouns.json").write_bytes(b"{}")
    (tmp_path / "cache/data/mine.partial/v1/half1234").write_bytes(b"{")
    public.fetch("mine", tmp_path / "cache/data")
    assert sorted(p.name for p in (tmp_path / "cache/data/mine/v1").iterdir()) == ["nouns.json"]


def test_a_folder_of_ones_own_comes_first(host, tmp_path, monkeypatch):
    override = tmp_path / "own/bias/mine"
    override.mkdir(parents=True)
    monkeypatch.setenv("GEC_FAIR_DATA", str(tmp_path / "own"))
    with pytest.raises(MissingResource):  # an empty folder is none
        public.find("mine", tmp_path / "cache/data")
    (override / "packed.zip").write_bytes(b"as its owner has it")
    assert public.find("mine", tmp_path / "cache/data") == override
    for words in (("mine",), ("mine", "--offline")):
        done = run("data", "fetch", *words)
        assert (done.code, done.stdout) == (0, f"mine  already here, in {override}\n")
    assert not (tmp_path / "cache/data").exists()


def test_offline_nothing_is_fetched_and_unknown_names_are_told(host, tmp_path):
    with pytest.raises(MissingResource, match="downloads are forbidden"):
        public.fetch("mine", tmp_path / "cache/data", offline=True)
    done = run("data", "fetch", "crow")
    assert (done.code, done.stderr) == (2, "gec-fair: no data set is called 'crow'; there are mine\n")


def test_offline_what_was_put_where_it_belongs_is_taken(host, tmp_path):
    """Each address with its place; a file that is another is refused."""
    refused = run("data", "fetch", "mine", "--offline")
    assert refused.code == 2
    places = dict(
        line.rpartition("get what is missing elsewhere, and run the same command again: ")[2].split(" → ")
        for line in refused.stderr.splitlines()
    )
    assert len(places) == len(FILES)
    for name, (url, place) in zip(FILES, places.items(), strict=True):
        assert url.endswith(f"/data/{name}")
        with open(place, "wb") as file:
            file.write(b"other")
    assert "is not the published file" in run("data", "fetch", "mine", "--offline").stderr
    for data, place in zip(FILES.values(), places.values(), strict=True):
        with open(place, "wb") as file:
            file.write(data)
    done = run("data", "fetch", "mine", "--offline")
    assert (done.code, done.stdout) == (0, f"mine  {tmp_path}/cache/data/mine\n"), done.stderr


def test_the_shipped_manifest_names_each_set_by_commit_and_sum():
    public.read_catalogue.cache_clear()
    for name, entry in public.read_catalogue().items():
        assert len(entry["commit"]) == 40
        assert entry["licence"]
        sums = entry.get("sha256", {})
        assert set(sums) == set(entry["files"]) or name in WITHOUT_SUMS, name
        assert {*sums, *entry.get("counts", {}), *entry.get("bytes", {})} == set(entry["files"]), name
        assert all(len(digest) == 64 for digest in sums.values())


def test_what_is_at_hand_is_what_the_manifest_names(data):
    """Those files that lie here as they are published; the others are packed otherwise."""
    checked = 0
    for name, entry in public.read_catalogue().items():
        for file, digest in entry.get("sha256", {}).items():
            path = data / "bias" / name / file
            if path.is_file():
                assert hashlib.sha256(path.read_bytes()).hexdigest() == digest, path
                checked += 1
    assert checked > 60


def test_a_set_without_a_digest_is_counted(host, tmp_path):
    entry = public.read_catalogue()["mine"]
    entry["sha256"] = {"pairs.csv": entry["sha256"]["pairs.csv"]}
    entry["counts"] = {"v1/nouns.json": {"part": 2}}
    for text, message in (
        (b"{}", "is not what its authors gave out"),
        (b'{"data": {"part": [1]}}', "has {'part': 1} items"),
    ):
        (host / "v1/nouns.json").write_bytes(text)
        with pytest.raises(InputError, match=message):
            public.fetch("mine", tmp_path / "cache/data")
        assert not (tmp_path / "cache/data/mine").exists()
    (host / "v1/nouns.json").write_bytes(b'{"data": {"part": [1, 2]}}')
    assert public.fetch("mine", tmp_path / "cache/data").is_dir()


def test_a_set_without_a_digest_has_its_size_checked(host, tmp_path):
    entry = public.read_catalogue()["mine"]
    entry["sha256"] = {"pairs.csv": entry["sha256"]["pairs.csv"]}
    entry["bytes"] = {"v1/nouns.json": 3}
    with pytest.raises(InputError, match=r"mine: v1/nouns\.json has 2 bytes, and 3 are known"):
        public.fetch("mine", tmp_path / "cache/data")
    assert not (tmp_path / "cache/data/mine").exists()
    (host / "v1/nouns.json").write_bytes(b"[1]")
    assert public.fetch("mine", tmp_path / "cache/data").is_dir()
