"""Ask a chat model many questions at once, each only once ever, and know what it cost.

    requests ─ kept already? ─ budget ─ server (retries, Retry-After) ─ fits the schema? else once more ─ answers

Any server that speaks OpenAI's chat protocol will do: OpenAI's own, vLLM, llama.cpp, Ollama (`server`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from gec_fair.errors import GecFairError
from gec_fair.extras import require
from gec_fair.llm import schemas
from gec_fair.llm.answer import Answer, NoAnswer, Outcome, Reply, Tokens
from gec_fair.llm.bill import Bill, OverBudget
from gec_fair.llm.dialect import Dialect
from gec_fair.llm.request import Request
from gec_fair.llm.server import GOES_ON, Connection, LLMFault, Server
from gec_fair.progress import Progress
from gec_fair.runs.cache import Store

Value = TypeVar("Value")

AT_ONCE = 8
"""Requests that are on their way at a time."""
TIMEOUT = 600.0
"""Seconds that an answer may take. A small server answers one request after the other, and the others wait."""
_WAIT = 0.02  # seconds


class Client:
    """Requests to a server, many at a time.

    `base_url` replaces the environment's `OPENAI_BASE_URL`. `cache` stores every reply as soon as it arrives, under
    the server's address and the whole request; None keeps nothing. `bill` adds up tokens and cost."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        cache: Store | None = None,
        at_once: int = AT_ONCE,
        timeout: float = TIMEOUT,
        bill: Bill | None = None,
    ) -> None:
        require("a chat model", "llm", "openai")
        self.server, self.at_once = Server(base_url, timeout), at_once
        self.cache = cache if cache is not None else Store(None, "replies")
        self.bill = bill if bill is not None else Bill()

    def ask(
        self,
        requests: Sequence[Request],
        *,
        usable: Callable[[str], bool] = lambda text: True,
        progress: Progress = lambda done, total: None,
    ) -> list[Outcome]:
        """An outcome for each request, in order; equal requests are asked once, and cost the first of them. A reply
        that is `usable` is kept; of a request with a schema one that was cut or filtered too, for it was paid for.

        LLMFault (also where all requests failed), OverBudget: what was on its way is waited for and kept; the same call
        continues. MissingResource without a key.
        """
        keys = [request.key(self.server.name) for request in requests]
        distinct = dict(zip(keys, requests, strict=True))
        return run_async(self._all(keys, distinct, self.cache.get(list(distinct)), usable, progress))

    def waiting(self, requests: Sequence[Request]) -> list[Request]:
        """Those that would be sent: not kept, and each once. For an estimate (`bill.estimate`) before anything is."""
        distinct = {request.key(self.server.name): request for request in requests}
        cached = self.cache.get(list(distinct))
        return [request for key, request in distinct.items() if key not in cached]

    async def _all(
        self,
        keys: Sequence[bytes],
        distinct: Mapping[bytes, Request],
        cached: Mapping[bytes, str],
        usable: Callable[[str], bool],
        progress: Progress,
    ) -> list[Outcome]:
        finished: dict[bytes, Outcome] = {}
        faults: list[Exception] = []
        waiting = iter(distinct.items())

        async def work(server: Connection, most: int | None = None) -> None:
            for key, request in islice(waiting, most):  # shared: each is taken by one
                try:
                    asking = _Asking(self, server, key, request, cached.get(key), usable, is_first=most is not None)
                    finished[key] = await asking.outcome()
                    self.bill.count(finished[key])
                except GecFairError as fault:
                    faults.append(fault)
                if faults:
                    return
                progress(len(finished), len(distinct))

        async with aclosing(Connection(self.server)) as server:
            if any(request.schema and not self.server.has_answered(request.model) for request in distinct.values()):
                await work(server, 1)  # it shows whether the server heeds schemas, before the others are sent
            if not faults:
                await asyncio.gather(*(work(server) for _ in range(max(1, min(self.at_once, len(distinct))))))
        if faults:
            raise faults[0]
        if finished and all(
            isinstance(outcome, NoAnswer) and outcome.reason == "failed" for outcome in finished.values()
        ):
            request, first = next(iter(distinct.values())), next(iter(finished.values()))
            raise LLMFault(f"{request.model}: {getattr(first, 'detail', '')}; {GOES_ON}")
        outcomes: list[Outcome] = []
        for key in keys:
            outcomes.append(finished[key])
            finished[key] = replace(finished[key], tokens=Tokens())
        return outcomes


@dataclass(frozen=True, slots=True)
class _Asking:
    """One request on its way."""

    client: Client
    server: Connection
    key: bytes
    request: Request
    cached: str | None
    usable: Callable[[str], bool]
    is_first: bool

    async def outcome(self) -> Outcome:
        reply = await self._reply(self.request, self.key, self.cached)
        if isinstance(reply, NoAnswer) or self.request.schema is None:
            return reply if isinstance(reply, NoAnswer) else _outcome(reply)
        value = schemas.read(self.request.schema, reply.text)
        if not isinstance(value, str):
            return replace(_outcome(reply), value=value)
        again = self.request.with_messages(*schemas.once_more(self.request.schema, reply.text, value))
        key = again.key(self.client.server.name)
        retry = await self._reply(again, key, self.client.cache.get([key]).get(key))
        if self.is_first and "{" not in reply.text:  # a server that heeds the schema would have sent an object
            self.client.server.keep(self.request.model, Dialect(frozenset({"response_format"})))
        if isinstance(retry, NoAnswer):
            return replace(retry, tokens=retry.tokens + reply.tokens)
        tokens = reply.tokens + retry.tokens
        value = schemas.read(self.request.schema, retry.text)
        if isinstance(value, str):
            return NoAnswer("unfit", value, tokens, retry.cached)
        return Answer(retry.text, value, tokens, retry.cached)

    async def _reply(self, request: Request, key: bytes, cached: str | None) -> Reply | NoAnswer:
        bill = self.client.bill
        if cached is not None:
            bill.cached += 1
            return self._check(Reply.loads(cached))
        aside, tokens = await self._set_aside(request), Tokens()
        try:
            reply = await self.server.send(request)
            if isinstance(reply, Reply):
                tokens = reply.tokens
                bill.requests += 1
        finally:
            bill.paid(aside, tokens)
        if isinstance(reply, NoAnswer):
            return reply
        checked = self._check(reply)
        # who asks by a schema counts outcomes; a chat without an answer is an error, and the next time asks anew
        final = isinstance(checked, Reply) or request.schema is not None
        if final and self.usable(reply.text):
            self.client.cache.put({key: reply.dumps()})
        return checked

    def _check(self, reply: Reply) -> Reply | NoAnswer:
        self.client.bill.changes.update(reply.changes)
        return _check_reply(reply)

    async def _set_aside(self, request: Request) -> float:
        """Waits for those that are on their way: they may cost less than was set aside. OverBudget if there is none."""
        bill = self.client.bill
        while True:
            try:
                return bill.set_aside(request)
            except OverBudget:
                if not bill.waiting:
                    raise
            await asyncio.sleep(_WAIT)


_UNFINISHED = {
    **dict.fromkeys(("length", "max_tokens", "max_length", "model_context_window_exceeded"), "cut"),
    **dict.fromkeys(
        ("content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii", "refusal"), "filtered"
    ),
}


def _check_reply(reply: Reply) -> Reply | NoAnswer:
    """A reply that can be read."""
    reason = _UNFINISHED.get(reply.finish.casefold()) or ("" if reply.text else "empty")
    return NoAnswer(reason, reply.text, reply.tokens, reply.cached) if reason else reply


def _outcome(reply: Reply) -> Answer:
    return Answer(reply.text, None, reply.tokens, reply.cached)


def run_async(work: Coroutine[Any, Any, Value]) -> Value:
    """In its own loop; where one runs already (a notebook), in another thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
