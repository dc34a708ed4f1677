"""Feature flags that Flagstone compiled, evaluated in process.

>>> evaluator = Evaluator(json.loads(text))
>>> evaluator.evaluate("delivery-slots", {"appVersion": "4.13.0", "postcode": "10115"})
Evaluation(value=True, cause='rule', rule='1bd1dd65')

`flagstone.openfeature` has a provider that follows a proxy or a CDN.
"""

from ._conditions import Context
from ._document import Json, document_of_values
from ._evaluator import Cause, Evaluation, EvaluationError, Evaluator, UnknownFlagError, UnknownOperatorError

__version__ = "0.1.0"

__all__ = [
    "Cause",
    "Context",
    "Evaluation",
    "EvaluationError",
    "Evaluator",
    "Json",
    "UnknownFlagError",
    "UnknownOperatorError",
    "document_of_values",
]
