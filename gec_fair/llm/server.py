"""One server: OpenAI's chat protocol, spoken by the openai package, and what goes wrong with it in our words.

`OPENAI_API_KEY` and `OPENAI_BASE_URL` are read by that package, never by us; no key stands in a message.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from gec_fair.data.secrets import hidden, is_secret
from gec_fair.errors import GecFairError, MissingResource, UsageError
from gec_fair.llm import schemas
from gec_fair.llm.answer import NoAnswer, Reply
from gec_fair.llm.bill import estimate
from gec_fair.llm.request import Request

if TYPE_CHECKING:
    from openai import AsyncOpenAI

RETRIES = 6
"""How often a request is sent again after 408, 409, 429, 5xx, a cut connection or no answer in time; the openai package
waits as the server says (Retry-After), else up to eight seconds, with jitter."""
_OF_ONE = frozenset((400, 413, 422))
"""What a server answers to a request that is wrong or too long."""
_ODD = 3
"""How often what is not a chat completion is asked for."""
IN_A_ROW = 16
"""Requests that fail one after the other, each after its retries, before the server counts as down."""
_A_KEY = 16
"""Signs that a key has at least; a server of one's own takes any word for one, and answers may hold that word."""


GOES_ON = "wait, or check the server; then the same command resumes"


class LLMFault(GecFairError):
    """A server that cannot be reached, refuses everything, or does not speak OpenAI's chat protocol."""


class Server:
    """`base_url`: where it is not `OPENAI_BASE_URL`'s. `timeout`: seconds that an answer may take. UsageError for an
    address that is none."""

    def __init__(self, base_url: str | None, timeout: float) -> None:
        self.base_url, self.timeout = base_url, timeout
        self.knows = schemas.Dialect()
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

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open is not None:
            await self._open.close()

    async def sent(self, request: Request) -> Reply | NoAnswer:
        """The server's reply, or that it failed at this request again and again; what this server does not know of a
        request is said in other words. LLMFault for what concerns all requests, MissingResource without a key."""
        import openai

        knows = self.server.knows
        for _ in range(_ODD + len(schemas.DIALECT)):
            connected, body = self._connect(request), knows.body(request)
            try:
                done = await connected.chat.completions.create(**body)
                reply = _reply(done, request)
                self.server.failed = 0
                return reply
            except openai.APIStatusError as wrong:
                if wrong.status_code >= 500:
                    return self._failed(request, f"the server refused ({wrong})")
                if wrong.status_code not in _OF_ONE:
                    raise self._refusing(request, wrong) from wrong
                # another request may have taught us meanwhile what this one was sent without
                if not knows.learnt(str(wrong)) and knows.body(request) == body:
                    return NoAnswer("refused", self.server.hidden(str(wrong)))
            except openai.APITimeoutError:
                return self._failed(request, f"no answer in {self.server.timeout:g} seconds")
            except openai.APIConnectionError as wrong:
                raise self._unreachable(request, connected, wrong) from wrong
            except openai.OpenAIError as wrong:
                raise self._refusing(request, wrong) from wrong
            except (AttributeError, IndexError, TypeError, ValueError):
                continue
        return self._failed(
            request,
            "the server's answer is not a chat completion; check OPENAI_BASE_URL (it ends in /v1 with most servers)",
        )

    def _failed(self, request: Request, why: str) -> NoAnswer:
        self.server.failed += 1
        message = self.server.hidden(why)
        if self.server.failed >= IN_A_ROW:
            raise LLMFault(f"{request.model}: {message}, and so {self.server.failed} times in a row; {GOES_ON}")
        return NoAnswer("failed", message)

    def _connect(self, request: Request) -> AsyncOpenAI:
        from openai import AsyncOpenAI, OpenAIError

        if self._open is None:
            try:
                self._open = AsyncOpenAI(
                    base_url=self.server.base_url, max_retries=RETRIES, timeout=self.server.timeout
                )
            except OpenAIError as wrong:
                message = f"{request.model}: no access ({self.server.hidden(str(wrong))})"
                raise MissingResource(
                    f"{message}; set OPENAI_API_KEY (any word, for a server of your own that asks for none)"
                ) from wrong
        return self._open

    def _refusing(self, request: Request, wrong: Exception) -> LLMFault:
        message = self.server.hidden(f"{request.model}: the server refused ({wrong})")
        return LLMFault(f"{message}; check OPENAI_API_KEY and the model's name, or wait; then the same command resumes")

    def _unreachable(self, request: Request, connected: AsyncOpenAI, wrong: Exception) -> LLMFault:
        place = urlsplit(str(connected.base_url))
        address = f"{place.scheme}://{place.netloc.rpartition('@')[2]}{place.path}"
        message = self.server.hidden(f"{request.model}: no answer from {address} ({wrong.__cause__ or wrong})")
        return LLMFault(
            f"{message}; check OPENAI_BASE_URL, whether the server runs, and the network; then the same command resumes"
        )


def _reply(done: Any, request: Request) -> Reply:
    """AttributeError, IndexError or TypeError for what is not a chat completion."""
    choice = done.choices[0]
    text, finish = choice.message.content or "", choice.finish_reason or "stop"
    if not text and (said := getattr(choice.message, "refusal", None)):
        text, finish = said, "content_filter"
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be stored
    text = hidden(text, [key for key in _keys() if len(key) >= _A_KEY])  # a server may repeat it
    usage, guess = getattr(done, "usage", None), estimate(request)
    prompt = getattr(usage, "prompt_tokens", None)
    completion = getattr(usage, "completion_tokens", None)
    return Reply(
        text.strip(),
        finish,
        guess.prompt if prompt is None else int(prompt),
        len(text) // 4 + 1 if completion is None else int(completion),
    )
