"""Running things so that nothing is lost and nothing is done twice.

Identity   all that decides a run's outputs; two identities compare, and the differences have names
Record     the run in its folder: `begun.json` while it runs, `manifest.json` when it is finished
run_cells  many trainings or other jobs, shared by any number of processes and machines
"""

from gec_fair.runs.grid import CellsFailed, Say, run_cells
from gec_fair.runs.identity import Identity
from gec_fair.runs.record import Record

__all__ = ["CellsFailed", "Identity", "Record", "Say", "run_cells"]
