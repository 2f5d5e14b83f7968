"""What takes seconds to import, or to read, in all that trains and is judged; an extra that is not here is left out."""

from contextlib import suppress
from importlib import import_module

from gec_fair.errors import GecFairError
from gec_fair.evaluate.scoring import errant

for system in ("gector", "bart", "editscorer"):
    for module in ("system", "train"):
        with suppress(ImportError, GecFairError):
            import_module(f"gec_fair.gec.{system}.{module}")
for module in ("sklearn.ensemble", "skops.io", "optuna", "altair", "vl_convert"):
    with suppress(ImportError):
        import_module(module)
with suppress(GecFairError):
    errant._engine("embedded")
