"""`gec-fair safety`: whether swapping an identity in a text swings a safety classifier's score, and an ensemble that
swings less."""

from __future__ import annotations

from gec_fair.cli.options.groups import Group
from gec_fair.cli.safety.audit import audit
from gec_fair.cli.safety.counterfactuals import counterfactuals
from gec_fair.cli.safety.scores import scores, split
from gec_fair.cli.safety.templates import fill, generate
from gec_fair.cli.safety.texts import mentions, texts
from gec_fair.cli.safety.train import predict, train

safety = Group(
    help="Audit the scores of text safety classifiers, and train an ensemble over them that treats identities alike."
)
for command in (audit, texts, mentions, counterfactuals, generate, fill, scores, split, train, predict):
    safety.add_command(command)
