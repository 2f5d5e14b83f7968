"""What is not installed is said before the work, with what installs it."""

import subprocess
import sys

import pytest

from gec_fair.errors import MissingResource
from gec_fair.extras import require

HIDDEN = """
import sys
for name in {names!r}:
    sys.modules[name] = None
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in {names!r} else find(name, *rest)
sys.argv = {argv!r}
from gec_fair.cli import main
main()
"""


def test_a_missing_module_is_named_with_its_extra():
    require("nothing", "evaluate", "json")
    with pytest.raises(MissingResource, match=r"a thing needs no_such; pip install 'gec-fair\[evaluate\]'"):
        require("a thing", "evaluate", "json", "no_such")


@pytest.mark.parametrize(
    ("names", "argv", "said"),
    [
        (["altair"], ["compare"], "a report needs altair; pip install 'gec-fair[evaluate]'"),
        (["errant"], ["gap", "--evalset", "they-probe", "--hyp", "x", "y"], "measuring a gap needs errant"),
        (["symspellpy"], ["correct", "--system", "symspell"], "symspell needs symspellpy"),
        (["torch"], ["gector", "predict", "model", "text.txt"], "GECToR needs torch; pip install 'gec-fair[train]'"),
        (["torch"], ["correct", "--system", "gector:model"], "GECToR needs torch; pip install 'gec-fair[train]'"),
        (["openai"], ["correct", "--system", "openai:m"], "pip install 'gec-fair[llm]'"),
    ],
)
def test_commands_say_what_they_lack(names, argv, said):
    code = HIDDEN.format(names=names, argv=["gec-fair", *argv])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert said in done.stderr
