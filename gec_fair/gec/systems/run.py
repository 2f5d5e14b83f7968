"""Run GEC systems over texts and evaluation sets; their answers are cached by system, version and text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from gec_fair.gec.systems.protocol import AT_ONCE, System, SystemFault, count_passed
from gec_fair.progress import Progress
from gec_fair.runs.cache import Store, cache_directory, key


def correct(
    system: System,
    texts: Sequence[str],
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Run a system over texts. `cache`: a SQLite file with its earlier answers.

    Each distinct text is corrected once, and answers are stored every few texts, so that a killed run resumes. Texts
    that the system may have returned unchanged are not stored, so that `count_passed` includes them the next time too.
    Their number is printed on stderr. `progress` is called with the number of distinct texts done, and of all.
    SystemFault where answers are missing.
    """
    store = Store(cache, "outputs")
    keys = {text: key(system.version, text) for text in texts}
    stored = store.get(list(keys.values()))
    corrected = {text: stored[digest] for text, digest in keys.items() if digest in stored}
    waiting = [text for text in keys if text not in corrected]
    size = getattr(system, "at_once", AT_ONCE)
    passed = count_passed(system)
    for first in range(0, len(waiting), size):
        batch = waiting[first : first + size]
        before = count_passed(system)
        answers = system(batch)
        if len(answers) != len(batch):
            raise SystemFault(
                f"{system.version}: answered {len(answers)} texts of {len(batch)}; one line for each line"
            )
        all_read = count_passed(system) == before
        store.put(
            {keys[text]: answer for text, answer in zip(batch, answers, strict=True) if all_read or answer != text}
        )
        corrected.update(zip(batch, answers, strict=True))
        if progress is not None:
            progress(len(corrected), len(keys))
    if number := count_passed(system) - passed:
        reason = "as too long or without a usable answer"
        tqdm.write(f"note: {system.version} passed {number:,} of {len(keys):,} texts through, {reason}", sys.stderr)
    return [corrected[text] for text in texts]


def outputs_cache() -> Path:
    """Where the outputs of systems are cached."""
    return cache_directory() / "outputs.sqlite"
