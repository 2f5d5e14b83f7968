"""An extension of Griffe: functions whose keywords come from a dataclass are shown with them, and what they mean."""

from __future__ import annotations

from importlib import import_module
from inspect import formatannotation, signature
from typing import Any

import griffe


class Keywords(griffe.Extension):
    """Takes signature and text from the function that users call."""

    def on_function_instance(self, *, func: griffe.Function, **_: Any) -> None:
        if not any("keywords(" in str(one.value) or "many(" in str(one.value) for one in func.decorators):
            return
        function = getattr(import_module(func.module.path), func.name)
        func.parameters = griffe.Parameters(
            *(
                griffe.Parameter(
                    name,
                    annotation=formatannotation(one.annotation),
                    kind=griffe.ParameterKind(one.kind.description),
                    default=None if one.default is one.empty else repr(one.default),
                )
                for name, one in signature(function).parameters.items()
            )
        )
        if func.docstring is not None:
            func.docstring.value = function.__doc__
