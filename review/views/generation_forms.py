"""Forms of runs of generation; the services have the rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from generation.core.llm_prompts.operators import OPERATOR_OF
from generation.models import ModelEndpoint

_CODES = (
    *("required", "invalid", "invalid_choice", "invalid_list", "min_value", "max_value"),
    *("max_digits", "max_decimal_places", "max_whole_digits"),
)


class RunForm(forms.Form):
    """What a run asks of which models, and what it may spend."""

    subtasks = forms.MultipleChoiceField()
    endpoints = forms.MultipleChoiceField()
    budget = forms.DecimalField(max_digits=12, decimal_places=6)
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1, initial=0)
    limit = forms.IntegerField(min_value=1, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = ModelEndpoint.objects.filter(is_active=True).values_list("name", flat=True)
        self._choose("subtasks", list(OPERATOR_OF), gettext("Choose a subtask."))
        self._choose("endpoints", list(names), gettext("Choose a model."))
        self._say("budget", gettext("Give a budget in US dollars, over 0 and up to 100,000."))
        self._say("seed", gettext("Give a whole number as seed, 0 or more."))
        self._say("limit", gettext("Give a whole number of drafts, or none."))

    def _choose(self, name: str, names: list[str], message: str) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(one, one) for one in names]
        self._say(name, message)

    def _say(self, name: str, message: str) -> None:
        self.fields[name].error_messages |= dict.fromkeys(_CODES, message)


class BudgetForm(forms.Form):
    """What a run that goes on may spend altogether."""

    budget = forms.DecimalField(max_digits=12, decimal_places=6)
