"""One server: OpenAI's chat protocol, spoken by the openai package, and what goes wrong with it in our words.

`OPENAI_API_KEY` and `OPENAI_BASE_URL` are read by that package, never by us; no key stands in a message.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from gec_fair.data.secrets import hidden, is_secret
from gec_fair.errors import GecFairError, MissingResource, UsageError
from gec_fair.llm.answer import NoAnswer, Reply
from gec_fair.llm.bill import estimate
from gec_fair.llm.completion import plain, read_completion
from gec_fair.llm.dialect import CHANGES, Dialect, Refusal, read_refusal
from gec_fair.llm.request import Request

if TYPE_CHECKING:
    from openai import AsyncOpenAI

RETRIES = 6
"""How often a request is sent again after 408, 409, 429, 5xx, a cut connection or no answer in time; the openai package
waits as the server says (Retry-After), else up to eight seconds, with jitter."""
_OF_ONE = frozenset((400, 413, 422))
"""What a server answers to a request that is wrong or too long."""
_UNFIT = frozenset((400, 422))
"""What a server answers to parameters that it does not take."""
_ODD = 3
"""How often what is not a chat completion is asked for."""
_LARGEST = 16 << 20
"""Bytes of an answer at most."""
_PACKED = ("gzip", "deflate")
"""How an answer may be compressed; zstd and brotli swell a hundred thousandfold, gzip a thousandfold."""
_MOST_READ = 1 << 20
"""Bytes of a refusal that are read."""
_MOST_SHOWN = 500
"""Signs of a server's message that are shown."""
IN_A_ROW = 16
"""Requests that fail one after the other, each after its retries, before the server counts as down."""
_A_KEY = 16
"""Signs that a key has at least; a server of one's own takes any word for one, and answers may hold that word."""


GOES_ON = "wait, or check the server; then the same command resumes"


class LLMFault(GecFairError):
    """A server that cannot be reached, refuses everything, or does not speak OpenAI's chat protocol."""


class Server:
    """`base_url`: where it is not `OPENAI_BASE_URL`'s. `timeout`: seconds that a server may be silent, and that the
    body of an answer may take. UsageError for an address that is none."""

    def __init__(self, base_url: str | None, timeout: float) -> None:
        self.base_url, self.timeout = base_url, timeout
        self._dialects: dict[str, Dialect] = {}
        self.failed = 0  # requests in a row
        try:
            _ = self.name
        except ValueError as wrong:
            raise UsageError(f"the server's address is none ({wrong}); check --base-url or OPENAI_BASE_URL") from wrong
        if base_url and urlsplit(base_url).scheme not in ("http", "https"):
            raise UsageError(
                f"--base-url {self.hidden(base_url)}: is not an address; one begins with http:// or https://"
            )

    @property
    def name(self) -> str:
        """`:server:…` where it is not OpenAI's own, without the name and password that may stand in its address."""
        place = urlsplit(self.base_url or os.environ.get("OPENAI_BASE_URL", ""))
        return f":server:{place.hostname}:{place.port or ''}{place.path.rstrip('/')}" if place.hostname else ""

    def dialect(self, model: str) -> Dialect:
        """What is known of a model."""
        return self._dialects.get(model, Dialect())

    def has_answered(self, model: str) -> bool:
        """Whether a request to a model succeeded, so that its refusals are about what it is asked."""
        return model in self._dialects

    def keep(self, model: str, dialect: Dialect) -> None:
        """Use for all further requests what made one succeed, and say so once."""
        known = self.dialect(model).changes
        self._dialects[model] = Dialect(known | dialect.changes)
        if new := sorted(dialect.changes - known):
            ways = "; ".join(CHANGES[name] for name in new)
            print(
                f"{self.shorten(model)}: the server refuses or ignores a part of the request, so {ways}",
                file=sys.stderr,
            )

    def shorten(self, text: str) -> str:
        """For a message, in a line: as `hidden`, and not longer than anyone reads."""
        line = self.hidden(" ".join(plain(text).split()))
        return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"

    def hidden(self, text: str) -> str:
        """For a message: without the keys, which a server may repeat, and the password of its address."""
        addresses = [self.base_url or "", os.environ.get("OPENAI_BASE_URL", "")]
        return hidden(text, [*_keys(), *(urlsplit(address).password or "" for address in addresses)])


def _keys() -> list[str]:
    return [value.strip() for name, value in os.environ.items() if name.startswith("OPENAI_") and is_secret(name)]


class Connection:
    """To a server, from within one event loop; made with the first request."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._open: AsyncOpenAI | None = None

    async def aclose(self) -> None:
        """For `contextlib.aclosing`."""
        if self._open is not None:
            await self._open.close()

    async def send(self, request: Request) -> Reply | NoAnswer:
        """The server's reply, or that it failed at this request again and again. What the model refuses of a request is
        left out or said otherwise. LLMFault for what concerns all requests, MissingResource without a key."""
        dialect, odd = self.server.dialect(request.model), 0
        while odd < _ODD:
            try:
                outcome = await self._ask(request, dialect)
            except ValueError:
                odd += 1
                continue
            if not isinstance(outcome, Dialect):
                return outcome
            dialect = outcome
        return self._fail(
            request,
            "the server's answer is not a chat completion; check OPENAI_BASE_URL (it ends in /v1 with most servers)",
        )

    async def _ask(self, request: Request, dialect: Dialect) -> Reply | NoAnswer | Dialect:
        """What came of a request in a dialect, or the dialect to ask it in now. ValueError for what is not a chat
        completion."""
        import openai

        try:
            content = await self._post(request, dialect)
        except openai.APIStatusError as wrong:
            refusal = read_refusal(wrong.status_code, wrong.response.text)
            return self._heed(request, dialect, refusal, wrong.status_code, _advice(wrong.response))
        except (openai.APITimeoutError, asyncio.TimeoutError):
            return self._fail(request, f"no answer in {self.server.timeout:g} seconds")
        except openai.APIConnectionError as wrong:
            raise self._unreachable(request, wrong) from wrong
        except openai.OpenAIError as wrong:
            raise self._refusing(request, str(wrong)) from wrong
        if len(content) > _LARGEST:
            return self._fail(request, f"the answer has more than {_LARGEST >> 20} MB")
        question = "\n".join(content for _, content in request.messages)
        reply = read_completion(content, question=question, guess=estimate(request))
        if not isinstance(reply, Reply):
            return self._heed(request, dialect, reply)
        self.server.failed = 0
        self.server.keep(request.model, dialect)
        repeatable = [key for key in _keys() if len(key) >= _A_KEY]  # a server may repeat the key
        return replace(reply, text=hidden(reply.text, repeatable), changes=tuple(sorted(dialect.changes)))

    def _heed(
        self, request: Request, dialect: Dialect, refusal: Refusal, status: int = 200, advice: str = ""
    ) -> NoAnswer | Dialect:
        """The dialect that a refusal asks for, or that this request has no answer; else an LLMFault, with the advice.
        `status`: of the answer that it came with."""
        learnt = dialect.learn(refusal, request)
        if learnt is None and refusal.status in _UNFIT and not self.server.has_answered(request.model):
            learnt = dialect.simplest(refusal, request)
        if learnt is not None:
            return learnt
        if refusal.status in _OF_ONE:
            return NoAnswer("refused", self.server.shorten(f"{refusal}"))
        if not refusal.is_quota and (refusal.status >= 500 or (refusal.status == 429 and status == 200)):
            return self._fail(request, f"the server refused ({refusal})")
        raise self._refusing(request, f"{refusal}{advice}")

    async def _post(self, request: Request, dialect: Dialect) -> bytes:
        """The body of the server's answer; of one that is too large, the beginning. ValueError for one that breaks
        off."""
        import openai

        create = self._connect(request).chat.completions.with_streaming_response.create
        try:
            async with create(**dialect.body(request)) as response:
                return await asyncio.wait_for(_read(response.iter_bytes(), _LARGEST), self.server.timeout)
        except (openai.OpenAIError, asyncio.TimeoutError):
            raise
        except Exception as fault:  # of httpx or its successor, by the version of openai
            raise ValueError("the answer breaks off") from fault

    def _fail(self, request: Request, why: str) -> NoAnswer:
        self.server.failed += 1
        message = self.server.shorten(why)
        if self.server.failed >= IN_A_ROW:
            raise LLMFault(f"{request.model}: {message}, and so {self.server.failed} times in a row; {GOES_ON}")
        return NoAnswer("failed", message)

    def _connect(self, request: Request) -> AsyncOpenAI:
        from openai import AsyncOpenAI, OpenAIError

        if self._open is None:
            try:
                self._open = AsyncOpenAI(
                    base_url=self.server.base_url,
                    max_retries=RETRIES,
                    timeout=self.server.timeout,
                    http_client=make_client(2 * self.server.timeout),
                )
            except OpenAIError as wrong:
                message = f"{request.model}: no access ({self.server.shorten(str(wrong))})"
                raise MissingResource(
                    f"{message}; set OPENAI_API_KEY (any word, for a server of your own that asks for none)"
                ) from wrong
        return self._open

    def _refusing(self, request: Request, why: str) -> LLMFault:
        message = self.server.shorten(f"{request.model}: the server refused ({why})")
        return LLMFault(f"{message}; check OPENAI_API_KEY and the model's name, or wait; then the same command resumes")

    def _unreachable(self, request: Request, wrong: Exception) -> LLMFault:
        place = urlsplit(str(self._connect(request).base_url))
        address = f"{place.scheme}://{place.netloc.rpartition('@')[2]}{place.path}"
        message = self.server.shorten(f"{request.model}: no answer from {address} ({wrong.__cause__ or wrong})")
        return LLMFault(
            f"{message}; check OPENAI_BASE_URL, whether the server runs, and the network; then the same command resumes"
        )


async def _read(parts: AsyncIterator[bytes], most: int) -> bytes:
    """All parts; where they are more than `most` bytes, the first that are."""
    content = bytearray()
    async for part in parts:
        content += part
        if len(content) > most:
            break
    return bytes(content)


def make_client(seconds: float) -> Any:
    """The HTTP client. It gives up a request after so many seconds even if the server sends its headers, or an error,
    byte by byte. It follows no redirect, which would send the texts to another server than the one that was named."""
    from openai import DefaultAsyncHttpxClient

    class Client(DefaultAsyncHttpxClient):
        async def send(self, *arguments: Any, **options: Any) -> Any:
            return await asyncio.wait_for(super().send(*arguments, **options), seconds)

    return Client(
        follow_redirects=False,
        headers={"Accept-Encoding": ", ".join(_PACKED)},
        event_hooks={"response": [_refuse_packing, _read_bounded]},
    )


async def _refuse_packing(response: Any) -> None:
    """A hook of the HTTP client: leave an answer packed that its decoder would unpack in one piece, however large that
    is. It is no completion then."""
    if response.headers.get("content-encoding", "").lower() not in _PACKED:
        response.headers.pop("content-encoding", None)


async def _read_bounded(response: Any) -> None:
    """A hook of the HTTP client: of a refusal only the beginning is read, which openai would read whole. A request is
    not sent again where the account has no money left."""
    if response.status_code < 400:
        return
    content = await _read(response.aiter_bytes(), _MOST_READ)
    await response.aclose()
    response._content = content
    if response.status_code == 429 and read_refusal(429, content.decode("utf-8", "replace")).is_quota:
        response.headers["x-should-retry"] = "false"


def _advice(response: Any) -> str:
    """What a refusal says in its headers."""
    if 300 <= response.status_code < 400:
        address = response.headers.get("location", "another address")
        return f": it redirects to {address} and is not followed; name that server"
    wait = response.headers.get("retry-after", "")
    return f"; it asks to wait {wait} seconds" if wait.isdecimal() else ""
