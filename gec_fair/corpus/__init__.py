"""What flows through the house and where it lies: pairs, files, run directories, workers.

Readers yield pairs and malformed lines; a step turns pairs into outcomes; `run` takes a corpus through a step into a
directory whose ledger adds up to the input.
"""

from gec_fair.config.corpora import Reading, Running
from gec_fair.corpus.formats.readers import Record, read
from gec_fair.corpus.ledger import complaints, read_ledger
from gec_fair.corpus.manifest import Manifest, read_manifest
from gec_fair.corpus.outcome import Augmented, Discarded, Left, Malformed, Outcome, Unchanged
from gec_fair.corpus.records import Pair
from gec_fair.corpus.run import Finished, run
from gec_fair.corpus.step import Step, StepError, StepFactory

__all__ = [
    "Augmented",
    "Discarded",
    "Finished",
    "Left",
    "Malformed",
    "Manifest",
    "Outcome",
    "Pair",
    "Reading",
    "Record",
    "Running",
    "Step",
    "StepError",
    "StepFactory",
    "Unchanged",
    "complaints",
    "read",
    "read_ledger",
    "read_manifest",
    "run",
]
