"""Runs the evaluator over files of vectors and prints what came of it as JSON."""

import gzip
import json
import sys

from evaluator import NeedsRe2, UnknownOperator, evaluate


def same(a, b):
    """As JSON: in Python 1 == True."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


passed, expressions, halves, failures = 0, 0, 0, []
for path in sys.argv[1:]:
    with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
        lines = file.read().rstrip("\n").split("\n")
    for line in lines:
        case = json.loads(line)
        if "half" in case["case"].split(": ")[-1] and "text beyond ASCII" in case["case"]:
            halves += 1  # Python's texts are code points and have no halves of pairs
            continue
        try:
            actual = {"value": evaluate(case["flag"], case["environment"], case["context"])[0]}
        except UnknownOperator:
            actual = {"cannotBeKnown": True}
        except NeedsRe2:
            expressions += 1
            continue
        expected = {"cannotBeKnown": True} if case.get("cannotBeKnown") else {"value": case["expected"]}
        if same(actual, expected):
            passed += 1
        else:
            failures.append({"case": case["case"], "actual": actual, "expected": expected})

print(json.dumps({"passed": passed, "expressions": expressions, "halves": halves, "failures": failures}))
