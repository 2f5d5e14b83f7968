"""What many functions can be told of their work: what is kept of it, who hears of it, how often it is resampled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from gec_fair.config.options import Option
from gec_fair.progress import Progress, bar

Bars: TypeAlias = Callable[[str], AbstractContextManager[Progress]]


@dataclass(frozen=True, kw_only=True)
class Reporting:
    """Who hears how far the work is."""

    progress: Annotated[Bars, Option(is_keyword=True)] = bar
    """For a title a context with a function that hears (done, of how many); a bar on stderr after two seconds."""


@dataclass(frozen=True, kw_only=True)
class Caching(Reporting):
    """What is kept."""

    no_cache: bool = False
    """Use no answers and annotations of before, and keep none."""


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How intervals are found."""

    resamples: Annotated[int, Option(least=1)] = 10_000
    """Resamples of the bootstrap."""
    seed: int = 0
    """The seed of the bootstrap."""
