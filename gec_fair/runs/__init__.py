"""Running things so that nothing is lost and nothing is done twice.

identity.Identity   all that decides a run's outputs; two identities compare, and the differences have names
record.Record       the run in its folder: `begun.json` while it runs, `manifest.json` when it is finished
grid.run_cells      many trainings or other jobs, shared by any number of processes and machines
"""
