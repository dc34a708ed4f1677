"""Fixtures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from openfeature import api
from world import World, followers, join_followers


@pytest.fixture
def world() -> Iterator[World]:
    """A server and time of its own for each test."""
    created = World()
    yield created
    created.close()


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    yield
    api.shutdown()
    join_followers()  # OpenFeature's SDK shuts down a replaced provider in a thread of its own.
    assert followers() == []
