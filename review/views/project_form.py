"""What the project's page sends: its numbers, and a new control item."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from generation.core.registry import SUBTASKS
from review.forms import REASONS
from review.models import ControlUse, Decision

USES = {
    ControlUse.QUEUE: gettext_lazy("in everyone's queue"),
    ControlUse.QUALIFICATION: gettext_lazy("in the qualification round"),
}
KNOWN = {
    Decision.APPROVE: gettext_lazy("approve"),
    Decision.REJECT: gettext_lazy("reject"),
}
OVERLAP = "overlap_"


class ProjectForm(forms.Form):
    """The project's numbers; ``overlap_<subtask>`` is empty where the subtask asks for no other."""

    reviews_wanted = forms.IntegerField(required=False, min_value=1, max_value=9)
    control_percent = forms.IntegerField(min_value=0, max_value=10)
    qualification_items = forms.IntegerField(min_value=0, max_value=50)
    qualification_bar = forms.IntegerField(min_value=0, max_value=100)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in SUBTASKS:
            self.fields[OVERLAP + name] = forms.IntegerField(
                required=False, min_value=1, max_value=9
            )
        for field in self.fields.values():
            assert isinstance(field, forms.IntegerField)
            words = {"low": field.min_value, "high": field.max_value}
            text = gettext("Give a whole number from %(low)s to %(high)s.") % words
            field.error_messages |= dict.fromkeys(
                ("invalid", "required", "min_value", "max_value"), text
            )

    def given(self) -> dict[str, Any]:
        """Return the settings as the service takes them."""
        data = dict(self.cleaned_data)
        overlap = {name: data.pop(OVERLAP + name) for name in SUBTASKS}
        return data | {"overlap": {name: n for name, n in overlap.items() if n is not None}}


class ControlForm(forms.Form):
    """Which candidate is made a control item, and what is known of it; the service has the rules."""

    candidate = forms.IntegerField(min_value=1, max_value=2**62)
    use = forms.ChoiceField(choices=list(USES.items()))
    decision = forms.ChoiceField(choices=list(KNOWN.items()))
    reject_reason = forms.ChoiceField(required=False, choices=REASONS)
    why = forms.CharField(max_length=2_000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = gettext("Give the item's number, as it stands behind its subtask.")
        self.fields["candidate"].error_messages |= dict.fromkeys(
            ("invalid", "required", "min_value", "max_value"), text
        )
        self.fields["why"].error_messages["required"] = gettext(
            "Say why, in the guidelines' words: reviewers read it after their answer."
        )
