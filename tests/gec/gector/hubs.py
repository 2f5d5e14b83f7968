"""The Hugging Face hub: its cache as it is after a download, and a server that speaks its protocol."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def cache_model(model: Path, name: str, cache: Path, monkeypatch) -> str:
    """Make `name` (owner/model) stand for a model's folder in the cache, and forbid downloads."""
    folder = cache / f"models--{name.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs/main").write_text(COMMIT)
    shutil.copytree(model, folder / "snapshots" / COMMIT)
    monkeypatch.setenv("GEC_FAIR_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    return name


class _Hub(http.server.BaseHTTPRequestHandler):
    """Models of one commit, which everybody may read and write. `files`: path in the model → content."""

    files: dict[str, bytes]

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = self.path.rpartition("/main")[0].rpartition("/")[2]
        if kind == "preupload":
            paths = [file["path"] for file in json.loads(body)["files"]]
            modes = [{"path": path, "uploadMode": "regular", "shouldIgnore": False} for path in paths]
            return self._answer({"files": modes})
        if kind == "commit":
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    self.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            return self._answer({"commitUrl": self.path, "commitOid": COMMIT, "success": True})
        return self._answer({"url": self.path, "errors": [], "warnings": []})

    def do_GET(self):
        if "/tree/" in self.path:
            return self._answer([{"type": "file", "path": path, "size": 1, "oid": COMMIT} for path in self.files])
        if self.path.startswith("/api/models/"):
            return self._answer({"id": "a model", "sha": COMMIT})
        content = self.files.get(self.path.partition("/resolve/")[2].partition("/")[2])
        if content is None:
            return self._answer({}, 404, {"X-Error-Code": "EntryNotFound"})
        etag = hashlib.sha1(content).hexdigest()
        return self._answer(content, 200, {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT})

    do_HEAD = do_GET  # noqa: N815

    def _answer(self, content, status=200, headers=None):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *words):
        pass


@contextlib.contextmanager
def serve_hub(cache: Path, monkeypatch) -> Iterator[str]:
    """The address of a hub, which is the only one that Hugging Face's libraries know meanwhile."""
    handler = type("Hub", (_Hub,), {"files": {}})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.delenv("GEC_FAIR_OFFLINE", raising=False)
    monkeypatch.setattr("huggingface_hub.hf_api.api.endpoint", address)
    monkeypatch.setattr("transformers.utils.hub._hf_api", None, raising=False)  # made anew, with the new address
    for name, value in {
        "ENDPOINT": address,
        "HUGGINGFACE_CO_URL_TEMPLATE": address + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_CACHE": str(cache),
    }.items():
        monkeypatch.setattr(f"huggingface_hub.constants.{name}", value)
    yield address
    server.shutdown()
