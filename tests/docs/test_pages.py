"""Every page of the documentation: its code runs and prints what the page says, its commands and links exist."""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import ROOT, check_command, is_like, read_blocks, read_commands, run_page

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
RUN_ELSEWHERE = {
    "README.md": "tests/docs/test_readme.py",
    "docs/reference/architecture.md": "tests/docs/test_architecture.py",
    "docs/reference/runs.md": "tests/corpus/test_runs_page.py",
}


SLOW = {
    "docs/how-to/bias.md",
    "docs/how-to/compare.md",
    "docs/tutorials/babylm-experiment.md",
    "docs/tutorials/debias-a-language-model.md",
    "docs/tutorials/find-shortcuts.md",
    "docs/tutorials/fine-tune-gector.md",
    "docs/tutorials/is-my-corrector-fair.md",
}
"""Pages that train models, or measure systems on a whole set."""


def runs(page):
    return any(block.language != "console" and not block.not_run for block in read_blocks(page.read_text("utf-8")))


RUNNING = [name for name, page in zip(NAMES, PAGES, strict=True) if name not in RUN_ELSEWHERE and runs(page)]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in RUNNING]
)
def test_the_code_runs_and_prints_what_the_page_says(name, tmp_path):
    run_page(ROOT / name, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_and_their_options_exist(name):
    wrong = []
    for block in read_blocks((ROOT / name).read_text(encoding="utf-8")):
        if block.language in ("console", "bash"):
            wrong += [(block.line, line, fault) for line in read_commands(block) if (fault := check_command(line))]
    assert wrong == []


def test_the_commands_that_run_the_real_thing_exist():
    """The last column of docs/untested.md: a command a row."""
    rows = re.findall(r"^\| .* \| (.+) \|$", (ROOT / "docs/untested.md").read_text(encoding="utf-8"), re.MULTILINE)
    commands = [cell for cell in rows if cell not in ("command", "---")]
    assert all(re.fullmatch(r"`[^`]+`", cell) for cell in commands)
    assert {cell: fault for cell in commands if (fault := check_command(cell.strip("`")))} == {}


def anchors(path):
    """The ids that headings of a page get, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", NAMES)
def test_the_links_lead_to_files_and_headings(name):
    page = ROOT / name
    text = re.sub(r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    wrong = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / path).resolve() if path else page
        generated = target == ROOT / "docs/reference/cli.md"
        if not generated and (not target.exists() or (anchor and anchor not in anchors(target))):
            wrong.append(link)
    assert wrong == []


def test_a_block_that_does_not_run_is_a_failure(tmp_path):
    page = ROOT / "out/broken.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text("```bash\nexit 3\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"broken\.md:1 ended with 3"):
        run_page(page, tmp_path)
    page.write_text("```python\nprint('one')\n```\n\n```text\ntwo\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="but the page has\ntwo"):
        run_page(page, tmp_path)
    page.unlink()


def test_commands_are_checked():
    assert check_command("gec-fair augment fm pairs.tsv -o out --workers 2") is None
    assert check_command("gec-fair augment fm pairs.tsv --worker 2").startswith("No such option")
    assert "is not a valid integer" in check_command("gec-fair augment fm pairs.tsv --workers two")
    assert check_command("gec-fair augmnt fm") == "no such command"
    assert check_command("make nothing") == "no target ['nothing']"
    assert is_like("a\nb\nc", "a\n…\nc")
    assert not is_like("a\nb", "a\nc")
