"""The form in which leads edit the guidelines."""

from django import forms
from django.utils.translation import gettext_lazy as _

from review.core.markdown import LONGEST


class GuidelineForm(forms.Form):
    """The text, what changed, and the version that was edited."""

    body = forms.CharField(
        max_length=LONGEST,
        strip=False,
        error_messages={
            "required": _("The guidelines can't be empty."),
            "max_length": _("The text is too long: the guidelines take up to 100,000 characters."),
        },
    )
    note = forms.CharField(required=False, max_length=500)
    based_on = forms.IntegerField(min_value=0, max_value=2_000_000_000)
