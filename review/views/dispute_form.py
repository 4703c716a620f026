"""What the adjudication page sends: the decision, a note, and words on findings."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from review.forms import REASONS
from review.models import Outcome
from review.services.disputes import Ruling

OUTCOMES = [
    (Outcome.APPROVE.value, _("Approve")),
    (Outcome.REJECT.value, _("Reject")),
    (Outcome.RETURN.value, _("Return to the queue")),
]
# What a decision is called, also one that another page makes.
WORDS = {
    **dict(OUTCOMES),
    Outcome.EDIT.value: _("Edit"),
}
_NOTE_LIMIT = 20_000
_WORD_LIMIT = 2_000


class RulingForm(forms.Form):
    """A lead's decision; the service has the rules and names all that is missing at once.

    Fields ``finding_<id>`` and ``finding_<id>_word`` are added for the revision's findings.
    """

    seen = forms.CharField(max_length=64)
    outcome = forms.ChoiceField(choices=OUTCOMES, required=False)
    reject_reason = forms.ChoiceField(choices=REASONS, required=False)
    note = forms.CharField(required=False, max_length=_NOTE_LIMIT)
    sees_success = forms.BooleanField(required=False)

    def __init__(self, *args: Any, findings: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.findings = findings
        for pk in findings:
            self.fields[f"finding_{pk}"] = forms.ChoiceField(
                choices=[("confirmed", ""), ("dismissed", "")], required=False
            )
            self.fields[f"finding_{pk}_word"] = forms.CharField(
                required=False, max_length=_WORD_LIMIT
            )

    def ruling(self) -> Ruling:
        """Return the decision as the service takes it."""
        data = self.cleaned_data
        return Ruling(
            outcome=data["outcome"],
            note=data["note"],
            reject_reason=data["reject_reason"],
            finding_verdicts={
                pk: (verdict, data[f"finding_{pk}_word"])
                for pk in self.findings
                if (verdict := data[f"finding_{pk}"])
            },
            sees_success=data["sees_success"],
        )
