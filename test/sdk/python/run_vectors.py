"""Runs the SDK's evaluator over files of vectors, and prints the results as JSON.

Needs nothing but Python: without google-re2, cases in which an expression decides are counted and left out.
"""

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "sdk" / "python" / "src"))
from flagstone import Evaluator, UnknownOperatorError  # noqa: E402


def document_of(case: dict) -> dict:
    """The document of a case's flag, with the members that an evaluation does not need."""
    texts = dict.fromkeys(["id", "projectId", "name", "description", "type", "createdAt", "updatedAt"], "")
    configuration = case["environment"]
    if configuration is not None:
        ids = dict.fromkeys(["id", "flagId", "environmentId", "updatedAt"], "")
        rules = [{"id": "", **rule} for rule in configuration["rules"]]
        configuration = {**ids, **configuration, "rules": rules}
    return {"flags": [{"flag": {**texts, **case["flag"]}, "environment": configuration}]}


passed, expressions, failures = 0, 0, []
for path in sys.argv[1:]:
    with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
        lines = file.read().rstrip("\n").split("\n")
    for line in lines:
        case = json.loads(line)
        try:
            actual = {"value": Evaluator(document_of(case)).evaluate(case["flag"]["key"], case["context"]).value}
        except UnknownOperatorError as error:
            if "flagstone[re2]" in str(error):
                expressions += 1
                continue
            actual = {"cannotBeKnown": True}
        expected = {"cannotBeKnown": True} if case.get("cannotBeKnown") else {"value": case["expected"]}
        if json.dumps(actual, sort_keys=True) == json.dumps(expected, sort_keys=True):  # 1 == True
            passed += 1
        else:
            failures.append({"case": case["case"], "actual": actual, "expected": expected})

print(json.dumps({"passed": passed, "expressions": expressions, "failures": failures}))
