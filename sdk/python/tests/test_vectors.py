"""The cases that every evaluator must pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flagstone import Evaluator, UnknownOperatorError
from flagstone._document import read_json

FOLDER = Path(__file__).parents[2] / "evaluation" / "vectors"
CASES = [
    json.loads(line)
    for name in ("flagstone.jsonl", "decisions.jsonl")
    for line in (FOLDER / name).read_text("utf-8").splitlines()
]


def test_there_are_cases() -> None:
    assert len(CASES) >= 1_428


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"].encode("ascii", "replace").decode())
def test_vector(case: dict[str, Any]) -> None:
    evaluator = Evaluator(document_of(case))
    if case.get("cannotBeKnown"):
        with pytest.raises(UnknownOperatorError):
            evaluator.evaluate(case["flag"]["key"], case["context"])
        return
    evaluation = evaluator.evaluate(case["flag"]["key"], case["context"])
    assert json.dumps(evaluation.value) == json.dumps(case["expected"])  # 1 == True


DOCUMENTS = [json.loads(line) for line in (FOLDER / "documents.jsonl").read_text("utf-8").split("\n")[:-1]]


def test_documents() -> None:
    def is_accepted(text: str) -> bool:
        try:
            Evaluator(read_json(text))
        except ValueError:
            return False
        return True

    assert len(DOCUMENTS) == 200
    assert [case for case in DOCUMENTS if is_accepted(case["document"]) != case["accepted"]] == []


def document_of(case: dict[str, Any]) -> dict[str, Any]:
    """The document of a case's flag, with the members that an evaluation does not need."""
    texts = dict.fromkeys(["id", "projectId", "name", "description", "type", "createdAt", "updatedAt"], "")
    configuration = case["environment"]
    if configuration is not None:
        ids = dict.fromkeys(["id", "flagId", "environmentId", "updatedAt"], "")
        rules = [{"id": f"r{index}", **rule} for index, rule in enumerate(configuration["rules"])]
        configuration = {**ids, **configuration, "rules": rules}
    return {"flags": [{"flag": {**texts, **case["flag"]}, "environment": configuration}]}
