"""Drafts to ask models about, and a model that can be asked: for tests."""

from decimal import Decimal
from typing import Any

from generation.core.registry import SUBTASKS
from generation.models import CandidateState, GenerationRun, ModelEndpoint, Revision
from generation.services.generation_runs import start_run
from generation.services.model_endpoints import set_endpoint
from tests.generation.core.runs import QA_TOOLS
from tests.make import make_revision
from tests.model_server import ModelServer

GOLD = "Fix the kiln so that it cools as slowly as told."
CALL = (
    '{"planning":"Search the archive for the year the kiln was built",'
    '"execution":{"name":"web_search","args":{"text":"kiln built year"}}}'
)


def make_draft(subtask: str = "issue_fix_plan", **fields: Any) -> Revision:
    """Return a draft that holds gold alone."""
    if subtask.startswith("closed_plan"):
        fields = {"options": (CALL,), "tools": QA_TOOLS} | fields
    given: dict[str, Any] = {"options": (GOLD,), "state": CandidateState.DRAFT, "subtask": subtask}
    return make_revision(**given | fields)


def make_endpoint(server: ModelServer, name: str = "kiln-1", **fields: Any) -> ModelEndpoint:
    """Return a model at a test's server: a dollar for a million read, two for a million written."""
    given: dict[str, Any] = {
        "name": name,
        "model": name,
        "base_url": server.url,
        "key_variable": "",
        "input_usd_per_million": Decimal(1),
        "output_usd_per_million": Decimal(2),
        "actor": None,
    }
    return set_endpoint(**given | fields)


def make_run(*endpoints: ModelEndpoint, budget: str = "1", **fields: Any) -> GenerationRun:
    """Return a run over all drafts of ``issue_fix_plan``."""
    given: dict[str, Any] = {
        "subtasks": [SUBTASKS["issue_fix_plan"]],
        "endpoints": endpoints,
        "budget_usd": Decimal(budget),
        "seed": 0,
        "actor": None,
    }
    return start_run(**given | fields)
