"""`gec-fair razor`: which documents give their label away by their surface, and what they read like without that."""

from __future__ import annotations

from gec_fair.cli.options.groups import Group
from gec_fair.cli.razor.evaluate import evaluate
from gec_fair.cli.razor.explain import explain
from gec_fair.cli.razor.run import run
from gec_fair.cli.razor.score import score

razor = Group(help="Find the documents whose surface gives their label away, and rewrite them (Yang et al. 2024).")
for command in (score, run, explain, evaluate):
    razor.add_command(command)
