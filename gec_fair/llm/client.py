"""Ask a chat model many questions at once, each only once ever, and know what it cost.

    requests ─ kept already? ─ budget ─ server (retries, Retry-After) ─ fits the schema? else once more ─ answers

Any server that speaks OpenAI's chat protocol will do: OpenAI's own, vLLM, llama.cpp, Ollama. `OPENAI_API_KEY` and
`OPENAI_BASE_URL` are read by the openai package, never by us; no key stands in a message, a cache or a ledger.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from gec_fair.corpus.secrets import hidden, is_secret
from gec_fair.errors import GecFairError, MissingResource, UsageError
from gec_fair.extras import require
from gec_fair.llm import schemas
from gec_fair.llm.answer import Answer, NoAnswer, Outcome, Tokens
from gec_fair.llm.bill import Bill, OverBudget, estimate
from gec_fair.llm.request import Request
from gec_fair.progress import Progress

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Value = TypeVar("Value")

AT_ONCE = 8
"""Requests that are on their way at a time."""
RETRIES = 6
"""How often a request is sent again after 408, 409, 429, 5xx, a cut connection or no answer in time; the openai package
waits as the server says (Retry-After), else up to eight seconds, with jitter."""
TIMEOUT = 120.0
"""Seconds that an answer may take."""
_OF_ONE = frozenset((400, 413, 422))
"""What a server answers to a request that is wrong or too long."""
_WAIT = 0.02  # seconds
_ODD = 3
"""How often what is no chat completion is asked for."""


class LLMFault(GecFairError):
    """A server that cannot be reached, refuses everything, or does not speak OpenAI's chat protocol."""


class Kept(Protocol):
    """Replies by key, wherever they are kept (`corpus.store.Store`)."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, str]: ...

    def put(self, values: Mapping[bytes, str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server said, as it is kept. `finish`: why it stopped, in the protocol's words."""

    text: str
    finish: str
    prompt: int
    completion: int
    kept: bool = False

    @property
    def tokens(self) -> Tokens:
        return Tokens(self.prompt, self.completion)

    def dumps(self) -> str:
        told = asdict(self)
        del told["kept"]
        return json.dumps(told, ensure_ascii=False)


class Client:
    """`base_url`: the server, where it is not `OPENAI_BASE_URL`'s. `kept`: where replies are looked for and kept, as
    soon as they are there, under the server's address and all that was asked. `bill` adds up what is asked."""

    def __init__(
        self, *, base_url: str | None = None, kept: Kept | None = None, at_once: int = AT_ONCE,
        timeout: float = TIMEOUT, bill: Bill | None = None,
    ) -> None:  # fmt: skip
        require("a chat model", "llm", "openai")
        self.base_url, self.kept, self.at_once, self.timeout = base_url, kept, at_once, timeout
        self.bill = bill if bill is not None else Bill()
        self._knows = schemas.Dialect()
        try:
            _ = self.server
        except ValueError as wrong:
            raise UsageError(f"the server's address is none ({wrong}); check --base-url or OPENAI_BASE_URL") from wrong

    @property
    def server(self) -> str:
        """`:server:…` where it is not OpenAI's own, without the name and password that may stand in its address."""
        place = urlsplit(self.base_url or os.environ.get("OPENAI_BASE_URL", ""))
        return f":server:{place.hostname}:{place.port or ''}{place.path.rstrip('/')}" if place.hostname else ""

    def ask(
        self, requests: Sequence[Request], *, usable: Callable[[str], bool] = lambda text: True,
        progress: Progress = lambda done, of: None,
    ) -> list[Outcome]:  # fmt: skip
        """An outcome for each request, in order; equal requests are asked once. A reply that is `usable` is kept.

        LLMFault, OverBudget: what was on its way is waited for and kept; the same call goes on. MissingResource without
        a key.
        """
        keys = [request.key(self.server) for request in requests]
        distinct = dict(zip(keys, requests, strict=True))
        there = self.kept.get(list(distinct)) if self.kept else {}
        return _run(self._all(keys, distinct, there, usable, progress))

    def waiting(self, requests: Sequence[Request]) -> list[Request]:
        """Those that would be sent: not kept, and each once. For an estimate (`bill.estimate`) before anything is."""
        distinct = {request.key(self.server): request for request in requests}
        there = self.kept.get(list(distinct)) if self.kept else {}
        return [request for key, request in distinct.items() if key not in there]

    def hidden(self, text: str) -> str:
        """For a message: without the keys, which a server may repeat, and the password of its address."""
        keys = [value.strip() for name, value in os.environ.items() if name.startswith("OPENAI_") and is_secret(name)]
        addresses = [self.base_url or "", os.environ.get("OPENAI_BASE_URL", "")]
        return hidden(text, [*keys, *(urlsplit(address).password or "" for address in addresses)])

    async def _all(
        self, keys: Sequence[bytes], distinct: Mapping[bytes, Request], there: Mapping[bytes, str],
        usable: Callable[[str], bool], progress: Progress,
    ) -> list[Outcome]:  # fmt: skip
        found: dict[bytes, Outcome] = {}
        faults: list[Exception] = []
        waiting = iter(distinct.items())
        server: list[AsyncOpenAI] = []

        async def work() -> None:
            for key, request in waiting:  # shared: each is taken by one
                try:
                    asking = _Asking(self, server, key, request, there.get(key), usable)
                    found[key] = await asking.outcome()
                except GecFairError as fault:
                    faults.append(fault)
                if faults:
                    return
                progress(len(found), len(distinct))

        try:
            await asyncio.gather(*(work() for _ in range(max(1, min(self.at_once, len(distinct))))))
        finally:
            for each in server:
                await each.close()
        if faults:
            raise faults[0]
        return [found[key] for key in keys]


@dataclass(frozen=True, slots=True)
class _Asking:
    """One request on its way. `server` holds the connection, once there is one."""

    client: Client
    server: list[AsyncOpenAI]
    key: bytes
    request: Request
    there: str | None
    usable: Callable[[str], bool]

    async def outcome(self) -> Outcome:
        reply = await self._reply(self.request, self.key, self.there)
        if isinstance(reply, NoAnswer) or self.request.schema is None:
            return reply if isinstance(reply, NoAnswer) else _outcome(reply)
        value = schemas.read(self.request.schema, reply.text)
        if not isinstance(value, str):
            return replace(_outcome(reply), value=value)
        again = self.request.behind(*schemas.once_more(self.request.schema, reply.text, value))
        key = again.key(self.client.server)
        kept = self.client.kept.get([key]) if self.client.kept else {}
        second = await self._reply(again, key, kept.get(key))
        if isinstance(second, NoAnswer):
            return replace(second, tokens=second.tokens + reply.tokens)
        tokens = reply.tokens + second.tokens
        value = schemas.read(self.request.schema, second.text)
        if isinstance(value, str):
            return NoAnswer("unfit", value, tokens, second.kept)
        return Answer(second.text, value, tokens, second.kept, repaired=True)

    async def _reply(self, request: Request, key: bytes, there: str | None) -> Reply | NoAnswer:
        bill = self.client.bill
        if there is not None:
            bill.kept += 1
            return _told(Reply(**json.loads(there), kept=True))
        aside, tokens = await self._set_aside(request), Tokens()
        try:
            reply = await self._sent(request)
            if isinstance(reply, Reply):
                tokens = reply.tokens
                bill.asked += 1
        finally:
            bill.paid(aside, tokens)
        if isinstance(reply, NoAnswer):
            return reply
        told = _told(reply)
        if self.client.kept and isinstance(told, Reply) and self.usable(reply.text):
            self.client.kept.put({key: reply.dumps()})
        return told

    async def _set_aside(self, request: Request) -> float:
        """Waits for those that are on their way: they may cost less than was set aside. OverBudget where none is."""
        bill = self.client.bill
        while True:
            try:
                return bill.set_aside(request)
            except OverBudget:
                if not bill.waiting:
                    raise
            await asyncio.sleep(_WAIT)

    async def _sent(self, request: Request) -> Reply | NoAnswer:
        """The server's reply; what this server does not know of a request is said in other words."""
        import openai

        knows = self.client._knows
        for _ in range(_ODD + len(schemas.DIALECT)):
            server, body = self._connected(), knows.body(request)
            try:
                done = await server.chat.completions.create(**body)
                return _reply(done, request)
            except openai.APIStatusError as wrong:
                if wrong.status_code not in _OF_ONE:
                    raise self._refusing(wrong) from wrong
                # another request may have taught us meanwhile what this one was sent without
                if not knows.learnt(str(wrong)) and knows.body(request) == body:
                    return NoAnswer("refused", self.client.hidden(str(wrong)))
            except openai.APIConnectionError as wrong:
                raise self._unreachable(server, wrong) from wrong
            except openai.OpenAIError as wrong:
                raise self._refusing(wrong) from wrong
            except (AttributeError, IndexError, TypeError, ValueError) as wrong:
                odd = wrong
        raise LLMFault(f"{request.model}: the server's answer is no chat completion; check OPENAI_BASE_URL (it ends in "
                       "/v1 with most servers)") from odd  # fmt: skip

    def _connected(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI, OpenAIError

        if not self.server:
            client = self.client
            try:
                self.server.append(AsyncOpenAI(base_url=client.base_url, max_retries=RETRIES, timeout=client.timeout))
            except OpenAIError as wrong:
                told = f"{self.request.model}: no access ({client.hidden(str(wrong))})"
                raise MissingResource(f"{told}; set OPENAI_API_KEY, and OPENAI_BASE_URL for a server of your "
                                      "own") from wrong  # fmt: skip
        return self.server[0]

    def _refusing(self, wrong: Exception) -> LLMFault:
        told = self.client.hidden(f"{self.request.model}: the server refused ({wrong})")
        return LLMFault(f"{told}; check OPENAI_API_KEY and the model's name, or wait; then the same command goes on")

    def _unreachable(self, server: AsyncOpenAI, wrong: Exception) -> LLMFault:
        place = urlsplit(str(server.base_url))
        address = f"{place.scheme}://{place.netloc.rpartition('@')[2]}{place.path}"
        told = self.client.hidden(f"{self.request.model}: no answer from {address} ({wrong.__cause__ or wrong})")
        return LLMFault(f"{told}; check OPENAI_BASE_URL, whether the server runs, and the network; then the same "
                        "command goes on")  # fmt: skip


def _reply(done: Any, request: Request) -> Reply:
    """AttributeError, IndexError or TypeError for what is no chat completion."""
    choice = done.choices[0]
    text, finish = choice.message.content or "", choice.finish_reason or "stop"
    if not text and (said := getattr(choice.message, "refusal", None)):
        text, finish = said, "content_filter"
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair can be kept nowhere
    usage, guess = getattr(done, "usage", None), estimate(request)
    prompt = getattr(usage, "prompt_tokens", None)
    completion = getattr(usage, "completion_tokens", None)
    return Reply(text.strip(), finish, guess.prompt if prompt is None else int(prompt),
                 len(text) // 4 + 1 if completion is None else int(completion))  # fmt: skip


_UNFINISHED = {"length": "cut", "content_filter": "filtered"}


def _told(reply: Reply) -> Reply | NoAnswer:
    """A reply that can be read."""
    reason = _UNFINISHED.get(reply.finish) or ("" if reply.text else "empty")
    return NoAnswer(reason, reply.text, reply.tokens, reply.kept) if reason else reply


def _outcome(reply: Reply) -> Answer:
    return Answer(reply.text, None, reply.tokens, reply.kept)


def _run(work: Coroutine[Any, Any, Value]) -> Value:
    """In a loop of its own; where one runs already (a notebook), in another thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
