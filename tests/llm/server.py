"""A chat server on this machine, for whatever asks one."""

from __future__ import annotations

import http.server
import json


class Chat(http.server.BaseHTTPRequestHandler):
    """Answers as a server that speaks OpenAI's chat protocol does; `down` refuses and repeats the header with the key;
    `odd` is what it says instead."""

    requests: list[dict] = []  # noqa: RUF012
    keys: set[str] = set()  # noqa: RUF012
    down = False
    odd = None
    reply = staticmethod(lambda text: f" {text.replace('go', 'goes')}\n")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        self.keys.add(self.headers["Authorization"])
        said = type(self).reply(body["messages"][-1]["content"])
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
        if self.odd is not None:
            reply = self.odd
        refusal = {"error": {"message": f"no access with {self.headers['Authorization']}"}}
        answer = json.dumps(refusal if self.down else reply).encode()
        self.send_response(401 if self.down else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *words):
        pass
