"""What the review page sends: the blind answer, the review, a skip. Labels stay displayed ones."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from generation.core.subtask import AnswerFormat
from review.models import RejectReason

CONFIDENCES = [(str(level), str(level)) for level in range(1, 6)]
RATINGS = [(str(level), str(level)) for level in range(4)]
DECISIONS = [("approve", _("Approve")), ("reject", _("Reject"))]
REASONS = [
    (RejectReason.BAD_QUESTION, _("The question is unclear or unfit")),
    (RejectReason.BAD_OPTIONS, _("The options are unfit")),
    (RejectReason.NO_CORRECT, _("No option is right")),
    (RejectReason.MULTIPLE_CORRECT, _("Several options are right")),
    (RejectReason.WRONG_GOLD, _("Gold is wrong")),
    (RejectReason.LEAK, _("The prompt gives the answer away")),
    (RejectReason.CONTAMINATED, _("The question is public elsewhere")),
    (RejectReason.HARMFUL, _("Harmful content")),
    (RejectReason.OTHER, _("Another reason (say which)")),
]
# Value, word, key, meaning.
VERDICTS = [
    ("valid", _("valid"), "v", _("wrong, but one must understand the question to see it")),
    ("also_correct", _("also correct"), "c", _("as right as gold: the question has two answers")),
    ("too_easy", _("too easy"), "e", _("wrong at a glance, without a look at the source")),
    ("malformed", _("malformed"), "m", _("broken: cut off, garbled, or no possible answer")),
    ("duplicate", _("duplicate"), "d", _("says the same as another option")),
]
YES_NO = [("yes", _("Yes")), ("no", _("No"))]
NOT_RATED = "-1"
_TEXT_LIMIT = 20_000


class BlindForm(forms.Form):
    """The answer before gold is shown: labels or a text, and how sure the reviewer is."""

    choice = forms.MultipleChoiceField(required=False)
    text = forms.CharField(required=False, max_length=_TEXT_LIMIT, strip=False)
    not_determined = forms.BooleanField(required=False)
    confidence = forms.TypedChoiceField(choices=CONFIDENCES, coerce=int)
    active_seconds = forms.FloatField(required=False, min_value=0, max_value=86_400)

    def __init__(
        self, *args: Any, answer_format: str, labels: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.answer_format = answer_format
        choice = self.fields["choice"]
        assert isinstance(choice, forms.MultipleChoiceField)
        choice.choices = [(label, label) for label in labels]
        self.fields["confidence"].error_messages["required"] = gettext("Say how sure you are.")

    def clean(self) -> dict[str, Any]:
        """Return the data; refuse an answer that is none."""
        data = super().clean() or {}
        data["active_seconds"] = data.get("active_seconds") or 0.0
        chosen = data.get("choice", [])
        if self.answer_format == AnswerFormat.COMPLETION:
            if not data.get("text", "").strip() and not data.get("not_determined"):
                self.add_error(
                    "text",
                    gettext("Write the answer, or say that the prompt does not determine it."),
                )
        elif not chosen and "choice" not in self.errors:
            self.add_error("choice", gettext("Choose an option."))
        elif self.answer_format == AnswerFormat.CHOICE and len(chosen) > 1:
            self.add_error("choice", gettext("Choose one option."))
        return data


class ReviewForm(forms.Form):
    """The reviewer's judgement once gold is shown.

    Nothing is required here: the service has the rules and names all that is missing at once.
    Fields ``option_<label>`` (displayed label), ``finding_<id>`` and ``finding_<id>_word`` are
    added for what the page asks about.
    """

    form_key = forms.UUIDField()
    well_specified = forms.TypedChoiceField(
        choices=RATINGS, coerce=int, required=False, empty_value=NOT_RATED
    )
    well_specified_why = forms.CharField(required=False, max_length=_TEXT_LIMIT)
    gold_quality = forms.TypedChoiceField(
        choices=RATINGS, coerce=int, required=False, empty_value=NOT_RATED
    )
    gold_quality_why = forms.CharField(required=False, max_length=_TEXT_LIMIT)
    same_meaning = forms.BooleanField(required=False)
    source_is_success = forms.ChoiceField(choices=YES_NO, required=False)
    decision = forms.ChoiceField(choices=DECISIONS, required=False)
    reject_reason = forms.ChoiceField(choices=REASONS, required=False)
    comment = forms.CharField(required=False, max_length=_TEXT_LIMIT)
    active_seconds = forms.FloatField(required=False, min_value=0, max_value=86_400)

    def __init__(
        self, *args: Any, distractors: Sequence[str], findings: Sequence[int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.distractors = distractors
        self.findings = findings
        verdicts = [(value, word) for value, word, _key, _meaning in VERDICTS]
        for label in distractors:
            self.fields[f"option_{label}"] = forms.ChoiceField(choices=verdicts, required=False)
        for pk in findings:
            self.fields[f"finding_{pk}"] = forms.ChoiceField(
                choices=[("confirmed", ""), ("dismissed", "")], required=False
            )
            self.fields[f"finding_{pk}_word"] = forms.CharField(required=False, max_length=2_000)

    def option_verdicts(self) -> dict[str, str]:
        """Return the verdicts given, by displayed label."""
        given = {label: self.cleaned_data.get(f"option_{label}", "") for label in self.distractors}
        return {label: verdict for label, verdict in given.items() if verdict}

    def finding_verdicts(self) -> dict[int, tuple[str, str]]:
        """Return (verdict, word) of the findings judged, by id."""
        return {
            pk: (verdict, self.cleaned_data.get(f"finding_{pk}_word", ""))
            for pk in self.findings
            if (verdict := self.cleaned_data.get(f"finding_{pk}", ""))
        }


class SkipForm(forms.Form):
    """Why an item is given back."""

    reason = forms.CharField(max_length=500)


class LoginForm(AuthenticationForm):
    """Name and password; a name that no user can have is never looked up nor logged."""

    username = UsernameField(
        max_length=150, widget=forms.TextInput(attrs={"autofocus": True, "maxlength": 150})
    )
