"""The words of runs of generation: states, failures, and why a run can't be started."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from generation.models import CallState, RunState

RUN_STATES = {
    RunState.RUNNING: pgettext_lazy("run", "running"),
    RunState.STOPPED: pgettext_lazy("run", "stopped"),
    RunState.OVER_BUDGET: pgettext_lazy("run", "stopped at its budget"),
    RunState.FINISHED: pgettext_lazy("run", "finished"),
}
CALL_STATES = {
    CallState.QUEUED: pgettext_lazy("call", "waiting"),
    CallState.RUNNING: pgettext_lazy("call", "under way"),
    CallState.DONE: pgettext_lazy("call", "answered"),
    CallState.FAILED: pgettext_lazy("call", "failed"),
}
FAILURES = {
    "refusal": _("the model refused"),
    "content_filter": _("the server held the answer back"),
    "empty": _("the answer was empty"),
    "reasoning_only": _("the model thought and did not answer"),
    "cut": _("the answer was cut"),
    "not_json": _("the answer holds no JSON"),
    "ambiguous": _("the answer holds several that differ"),
    "wrong_shape": _("the answer has another form"),
    "too_few": _("the answer holds too few"),
    "wrong_model": _("another model answered"),
    "bad_body": _("the server sent no answer of its protocol"),
    "server_error": _("the server failed"),
    "rate_limited": _("the server asked to wait"),
    "timeout": _("no answer in time"),
    "unreachable": _("the server can't be reached"),
    "request_refused": _("the server refused the request"),
    "key_refused": _("the server refused the key"),
    "key_missing": _("the key's variable is not set"),
    "lost": _("the worker ended before the answer came"),
}
REFUSALS = {
    "budget": _("Give a budget in US dollars, over 0 and up to 100,000."),
    "nothing": _(
        "There is nothing to ask: no draft lacks options, or all were asked with this seed."
    ),
    "gone": _("The budget is spent, reserved or lost already: give a greater one."),
    "answered": _("Every call of this run is answered."),
}
