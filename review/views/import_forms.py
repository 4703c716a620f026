"""Forms of imports and builds; the services have the rules."""

from typing import Any

from django import forms

from generation.core.importers.catalogue import IMPORTERS
from generation.services.candidates import buildable
from review.views.import_words import BUILD_REFUSALS, REFUSALS

_CODES = ("required", "invalid", "invalid_choice", "invalid_list", "min_value", "max_value")


class KindForm(forms.Form):
    """What an upload holds; its files are no field, since they are many."""

    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in sorted(IMPORTERS)],
        error_messages=dict.fromkeys(_CODES, REFUSALS["no_kind"]),
    )


class BuildForm(forms.Form):
    """Which candidates are built; all that can be where no subtask is chosen."""

    subtasks = forms.MultipleChoiceField(required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1, initial=0)
    limit = forms.IntegerField(min_value=1, max_value=10**9, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        subtasks = self.fields["subtasks"]
        assert isinstance(subtasks, forms.MultipleChoiceField)
        subtasks.choices = [(subtask.name, subtask.name) for subtask in buildable()]
        for name, words in BUILD_REFUSALS.items():
            self.fields[name].error_messages |= dict.fromkeys(_CODES, words)
