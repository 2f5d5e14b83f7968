"""A chat server on this machine that misbehaves as instructed."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Said:
    """One reply: a status, its headers, and what is said; `raw` in place of a chat completion, `cut` breaks off in the
    middle of it, `seconds` before it begins; `drip`: the headers or the body come byte by byte, without end."""

    text: str = ""
    status: int = 200
    headers: dict = field(default_factory=dict)
    raw: bytes | None = None
    cut: bool = False
    seconds: float = 0.0
    finish: str = "stop"
    usage: bool = True
    drip: str = ""


class Stub(http.server.ThreadingHTTPServer):
    """`script` answers (body, how often this very body was asked before) with what is Said."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, script: Callable[[dict, int], Said]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script, self.lock = script, threading.Lock()
        self.bodies: list[dict] = []
        self.keys: set[str] = set()
        self.times: Counter[str] = Counter()
        self.now = self.most = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits 40 ms until the client acknowledges the headers
    server: Stub

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        body, server = json.loads(content), self.server
        with server.lock:
            before = server.times[content.decode()]
            server.times[content.decode()] += 1
            server.bodies.append(body)
            server.keys.add(self.headers["Authorization"])
            server.now += 1
            server.most = max(server.most, server.now)
        said = server.script(body, before)
        time.sleep(said.seconds)
        answer = said.raw if said.raw is not None else json.dumps(_completion(body, said)).encode()
        with server.lock:
            server.now -= 1
        if said.drip:
            self._drip(said)
            return
        self.send_response(said.status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(answer)),
            **said.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer[: len(answer) // 2] if said.cut else answer)
        self.wfile.flush()
        self.close_connection = said.cut

    def _drip(self, said):
        head = f"HTTP/1.1 {said.status} OK\r\nX-Slow: "
        self.wfile.write((head if said.drip == "headers" else f"{head}1\r\nContent-Length: 9999\r\n\r\n").encode())
        self.close_connection = True
        for _ in range(300):
            time.sleep(0.02)
            try:
                self.wfile.write(b"a")
            except OSError:
                break

    def log_message(self, *words):
        pass


def _completion(body, said):
    if said.status != 200:
        return {"error": {"message": said.text, "type": "error"}}
    choice = {"index": 0, "finish_reason": said.finish, "message": {"role": "assistant", "content": said.text}}
    reply = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
    if said.usage:
        reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return reply


@contextmanager
def serving(script):
    server = Stub(script)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
