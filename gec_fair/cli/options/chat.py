"""Options of the commands that ask a chat model: its server, its prices and the most that may be spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gec_fair.cli.options.command import option, takes
from gec_fair.cli.options.results import say

if TYPE_CHECKING:
    from gec_fair.llm.ask import Asker

OPTIONS = ("base_url", "price", "budget")
"""The parameters that `chat_options` adds."""
chat_options = takes(
    option("--base-url", "URL", "The server.  [default: OPENAI_BASE_URL, else OpenAI's]"),
    option("--price", "IN,OUT", "Money for a million tokens that are read and written."),
    option("--budget", "MONEY", "The most that may be spent; needs --price.", type=float),
)


def open_asker(
    base_url: str | None,
    price: str | None,
    budget: float | None,
    *,
    table: str,
    at_once: int | None = None,
    cached: bool = True,
) -> Asker:
    """What asks the models of this command, and prints the bill when the command ends. Replies are cached in this table
    of the cache directory's `chat.sqlite`."""
    from gec_fair.llm.ask import Asker
    from gec_fair.llm.bill import read_bill
    from gec_fair.llm.client import AT_ONCE
    from gec_fair.runs.cache import Store, cache_directory

    cache = Store(cache_directory() / "chat.sqlite", table) if cached else None
    asker = Asker(base_url, bill=read_bill(price, budget), cache=cache, at_once=at_once or AT_ONCE)

    def print_bill() -> None:
        if asker.bill.usable or asker.bill.unusable:
            say(asker.bill.summary())

    click.get_current_context().call_on_close(print_bill)
    return asker
