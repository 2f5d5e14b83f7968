"""The page behind `gec-fair review`: Flask on 127.0.0.1, opened by a token that works once.

The first request with the token gets a cookie that this process alone knows; every later one needs it. Requests for
another host name, or from a page of another origin, are refused, so that no page elsewhere can reach in through a name
that points here. A body that is not what the page sends is answered with 400, 413 or 415.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
import secrets
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gec_fair.errors import GecFairError, UsageError
from gec_fair.evaluate.evalsets.review.decisions import Session
from gec_fair.evaluate.evalsets.review.items import Item, choices, rows
from gec_fair.extras import require

if TYPE_CHECKING:
    from flask import Flask
    from flask.typing import ResponseReturnValue

    from gec_fair.evaluate.evalsets.review.annotation import Subject

HOST = "127.0.0.1"
_COOKIE = "gec-fair-review"
_PAGE = Path(__file__).with_name("page.html")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
_LIMIT = 1 << 20  # bytes of a request
_NUMBER = re.compile("[0-9]{1,9}")


def app(session: Session, token: str) -> Flask:
    """The page and its five addresses; `token` opens it once."""
    require("the review page", "review", "flask")
    from flask import Flask, jsonify

    app = Flask("gec_fair review", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = _LIMIT
    app.json.sort_keys = False  # type: ignore[attr-defined]  # original first
    _guard(app, token)

    @app.get("/")
    def page() -> ResponseReturnValue:
        return _PAGE.read_text(encoding="utf-8"), {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}

    @app.get("/items")
    def items() -> ResponseReturnValue:
        first = session.items[0]
        return jsonify(
            reviewer=session.reviewer,
            task=asdict(first.task),
            axes=list(first.axes),
            items=[[item.group, _verdict(session, item.key)] for item in session.items],
        )

    @app.get("/items/<digits>")
    def item(digits: str) -> ResponseReturnValue:
        return jsonify(_item_json(session, _item_number(session, digits)))

    @app.post("/items/<digits>")
    def decide(digits: str) -> ResponseReturnValue:
        number, payload = _item_number(session, digits), _read_body()
        try:
            _decide(session, number, payload)
        except (ValueError, AttributeError, TypeError, KeyError, IndexError) as fault:
            return jsonify(error=str(fault)), 400
        except (OSError, GecFairError) as fault:  # the file of decisions cannot be written
            return jsonify(error=str(fault)), 507
        return jsonify(_item_json(session, number))

    @app.post("/items/<digits>/draft")
    def draft(digits: str) -> ResponseReturnValue:
        """The lines as they would look with these texts; nothing is saved."""
        item, payload = session.items[_item_number(session, digits)], _read_body()
        texts = {**session.texts(item), **{k: str(v) for k, v in payload.items() if k in item.texts}}
        return jsonify(rows=_rows(rows(item, texts)))

    return app


def _guard(app: Flask, token: str) -> None:
    """Let in who has the token, once, and after that who has the cookie that the token got."""
    from flask import abort, redirect, request

    key = secrets.token_urlsafe(32)
    cookie = f"{_COOKIE}-{secrets.token_hex(4)}"  # browsers keep cookies by host, not by port: two pages, two names
    waiting = {token}

    @app.before_request
    def guard() -> ResponseReturnValue | None:
        if request.host.partition(":")[0] not in (HOST, "localhost"):
            abort(403, "this page is for the machine that it runs on")
        if request.headers.get("Origin") not in (None, f"http://{request.host}"):  # a POST of a browser names it
            abort(403, "this request comes from another page")
        token = request.args.get("token", "")
        if request.path == "/" and any(_same(token, secret) for secret in waiting):
            waiting.clear()
            answer = redirect("/")
            answer.set_cookie(cookie, key, httponly=True, samesite="Lax")  # a link to the page may be clicked elsewhere
            return answer
        if not _same(request.cookies.get(cookie, ""), key):
            abort(403, "the address works once, for one browser; start `gec-fair review` again for another address")
        return redirect("/") if token else None


def _item_number(session: Session, digits: str) -> int:
    from flask import abort

    if not _NUMBER.fullmatch(digits) or int(digits) >= len(session.items):
        abort(404)
    return int(digits)


def _read_body() -> dict[str, Any]:
    from flask import abort, request

    try:
        payload = request.get_json()
        json.dumps(payload, ensure_ascii=False).encode()  # half a surrogate pair cannot be saved
    except (RecursionError, UnicodeEncodeError):
        payload = None
    if not isinstance(payload, dict):
        abort(400, "the body is not a JSON object that can be saved")
    return payload


def _decide(session: Session, number: int, payload: dict[str, Any]) -> None:
    if payload.get("verdict") is None:
        session.withdraw(number)
    else:
        words = (payload.get("texts", {}), str(payload.get("note", "")))
        session.decide(number, payload["verdict"], *words, payload.get("answer"))


def serve(session: Session, *, port: int, on_start: Callable[[str], None]) -> None:
    """Serve until interrupted. `on_start` is called with the address, token included. UsageError where the port is
    taken."""
    require("the review page", "review", "flask")
    from werkzeug.serving import make_server

    token = secrets.token_urlsafe(16)
    try:
        server = make_server(HOST, port, app(session, token), threaded=True)
    except (OSError, SystemExit) as fault:
        raise UsageError(f"port {port} is taken; give another with --port, or 0 for a free one") from fault
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # its log would show the token
    on_start(f"http://{HOST}:{server.server_port}/?token={token}")
    server.serve_forever()


def _same(token: str, secret: str) -> bool:
    return hmac.compare_digest(token.encode("utf-8", "replace"), secret.encode())


def _verdict(session: Session, name: str) -> str | None:
    decision = session.decisions.get(name)
    return decision.verdict if decision is not None else None


def _item_json(session: Session, number: int) -> dict[str, Any]:
    item = session.items[number]
    decision = session.decisions.get(item.key)
    texts = session.texts(item)
    return {
        "id": item.id,
        "group": item.group,
        "facts": item.facts,
        "texts": texts,
        "proposed": dict(item.texts),
        "verdict": _verdict(session, item.key),
        "note": decision.note if decision is not None else "",
        "answer": session.answer(item),
        "words": _words(item.subject),
        "questions": _questions(item),
        "rows": _rows(rows(item, texts)),
    }


def _words(subject: Subject | None) -> list[tuple[str, str]]:
    """The words that can be selected, each with the white space after it."""
    return list(zip(subject.words, subject.tokens.after, strict=True)) if subject and subject.words else []


def _questions(item: Item) -> list[dict[str, Any]]:
    """The words that want an attribute, each with its choices."""
    subject, every = item.subject, choices(item)
    if subject is None or not every:
        return []
    names = [f"{subject.word(span)} ({span[2]})" for span in subject.spans]
    return [{"name": name, "choices": options} for name, options in zip(names, every, strict=True)]


def _rows(texts: list[tuple[str, list[Any]]]) -> list[dict[str, Any]]:
    return [{"label": label, "words": [asdict(token) for token in line]} for label, line in texts]
