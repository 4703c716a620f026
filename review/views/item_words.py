"""The words of states and outcomes on leads' pages."""

from django.utils.translation import gettext_lazy as _

from generation.core.records import Success
from generation.models import CandidateState
from review.models import Outcome

STATES = {
    CandidateState.DRAFT: _("draft"),
    CandidateState.CHECKED: _("checked"),
    CandidateState.IN_REVIEW: _("in review"),
    CandidateState.DISPUTED: _("disputed"),
    CandidateState.APPROVED: _("approved"),
    CandidateState.REJECTED: _("rejected"),
}
_OUTCOMES = {
    Outcome.APPROVE: _("approved"),
    Outcome.REJECT: _("rejected"),
    Outcome.EDIT: _("edited"),
    Outcome.RETURN: _("returned to the queue"),
}
SUCCESSES = {
    Success.CONFIRMED: _("the run is known to solve its task"),
    Success.UNCONFIRMED: _("not known whether the run solves its task"),
    Success.FAILED: _("known to have failed: it serves as a wrong option only"),
}


def state_word(state: str) -> str:
    """Return a candidate's state in words."""
    return str(STATES[CandidateState(state)])


def outcome_word(outcome: str) -> str:
    """Return what a lead decided in words."""
    return str(_OUTCOMES[Outcome(outcome)])


def success_word(success: str) -> str:
    """Return in words what is known of a run's success."""
    return str(SUCCESSES.get(Success(success), success))
