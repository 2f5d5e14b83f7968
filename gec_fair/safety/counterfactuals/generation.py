"""Prompts with `<social_group>` by a chat model, after AART (Radharapu et al. 2023; appendix A.2.1): a policy, a theme
of it, a form, so many prompts; harmful ones by each harm's policy, harmless ones by their own. `safety fill` fills
them.

    prompts/policies.toml   what counts as each harm, its themes; forms
    prompts/generate.txt    what is asked
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from gec_fair.config.suggest import closest
from gec_fair.config.values import read_toml
from gec_fair.errors import InputError, UsageError
from gec_fair.llm.answer import REASONS, Answer, NoAnswer
from gec_fair.llm.ask import ChatModel
from gec_fair.llm.request import Request
from gec_fair.llm.server import LLMFault
from gec_fair.safety.counterfactuals.templates import has_mark
from gec_fair.safety.data.texts import Text

PROMPTS = Path(__file__).with_name("prompts")
HARMLESS = "harmless"
_FORMS = "forms"
_AT_ONCE = 5
"""Prompts of a request."""
_LONGEST = 1024  # tokens of an answer


class Prompts(BaseModel):  # noqa: D101  (a docstring would be part of the schema)
    prompts: list[str]


@dataclass(frozen=True, slots=True)
class Policies:
    """`by_harm`: the policy and themes of each harm, HARMLESS included."""

    by_harm: Mapping[str, tuple[str, tuple[str, ...]]]
    forms: tuple[str, ...]

    @property
    def harms(self) -> tuple[str, ...]:
        """The harms, without HARMLESS."""
        return tuple(name for name in self.by_harm if name != HARMLESS)


def policies(path: Path | None = None) -> Policies:
    """Ours, or a file of the same form. InputError for another."""
    path = path or PROMPTS / "policies.toml"
    try:
        table = read_toml(path, "begin with the file that comes with the package")
        forms = tuple(map(str, table.pop(_FORMS)["names"]))
        policies = {name: (str(policy["policy"]), tuple(map(str, policy["themes"]))) for name, policy in table.items()}
    except (KeyError, TypeError, AttributeError) as fault:
        raise InputError(
            f"{path}: is not a file of policies ({fault}); it has [HARM] with policy and themes, and [forms] with names"
        ) from fault
    return Policies(policies, forms)


def generate(
    model: ChatModel, wanted: Sequence[str], number: int, *, known: Policies | None = None, seed: int = 0
) -> tuple[list[Text], dict[str, int]]:
    """`number` prompts of each of `wanted` (harms, or HARMLESS), with a label for every harm: 1 for the one that they
    are of, 0 where harmless, unknown for the others; and how many were dropped, by reason. LLMFault where the server
    fails, or where there is no prompt at all; what was answered is kept by the client."""
    known = known or policies()
    for name in wanted:
        if name not in known.by_harm:
            raise UsageError(
                f"no policy is called {name!r}{closest(name, known.by_harm)}; there are {', '.join(known.by_harm)}"
            )
    jobs = [(name, *job) for name in wanted for job in _plan_requests(known, name, number, seed)]
    outcomes = model.ask_all([_request(model, known, *job) for job in jobs])
    dropped: Counter[str] = Counter()
    prompts: dict[str, dict[str, None]] = {name: {} for name in wanted}
    for (name, *_, size), outcome in zip(jobs, outcomes, strict=True):
        if not isinstance(outcome, Answer) or not isinstance(outcome.value, Prompts):
            reason = REASONS[outcome.reason] if isinstance(outcome, NoAnswer) else "no prompts in it"
            dropped[f"no answer ({reason})"] += size
            continue
        for prompt in outcome.value.prompts:
            text = " ".join(prompt.split())
            if not has_mark(text):
                dropped["no <social_group>"] += 1
            elif any(text in known_prompts for known_prompts in prompts.values()):
                dropped["said twice"] += 1
            else:
                prompts[name][text] = None
    if not any(prompts.values()):
        counts = "; ".join(f"{n:,} × {why}" for why, n in dropped.most_common())
        raise LLMFault(f"{model.name}: wrote no prompt ({counts}); nothing is written. Try another model")
    dropped["more than were asked for"] += sum(max(0, len(texts) - number) for texts in prompts.values())
    texts = [
        Text(f"{name}-{n}", text, labels=_labels(known, name))
        for name, own_prompts in prompts.items()
        for n, text in enumerate(list(own_prompts)[:number], 1)
    ]
    return texts, {why: n for why, n in dropped.items() if n}


def _plan_requests(known: Policies, name: str, number: int, seed: int) -> Iterator[tuple[str, str, int, int]]:
    """Theme, form, how often they were asked for before, and how many, until there are enough; every pair of theme and
    form once before any twice."""
    pairs = list(product(known.by_harm[name][1], known.forms))
    chance = np.random.default_rng([seed, *name.encode()])
    order = chance.permutation(len(pairs))
    for n, first in enumerate(range(0, number, _AT_ONCE)):
        theme, form = pairs[order[n % len(pairs)]]
        yield theme, form, n // len(pairs), min(_AT_ONCE, number - first)


def _request(model: ChatModel, known: Policies, name: str, theme: str, form: str, before: int, number: int) -> Request:
    """What was asked before is asked for others: the same request would be told the same, for answers are kept."""
    goal = "be harmless" if name == HARMLESS else "break this policy"
    fields = {
        "harm": name,
        "policy": known.by_harm[name][0],
        "what": goal,
        "theme": theme,
        "form": form,
        "number": str(number),
        "others": f" Others than in rounds 1 to {before}." if before else "",
    }
    return model.request(model.prompt("generate"), fields, temperature=1.0, max_tokens=_LONGEST, schema=Prompts)


def _labels(known: Policies, name: str) -> dict[str, str]:
    if name == HARMLESS:
        return dict.fromkeys(known.harms, "0")
    return {harm: "1" if harm == name else "" for harm in known.harms}
