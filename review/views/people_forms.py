"""What the pages about people send: invitations, roles, skills, a new member's name."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from generation.core.records import Language
from generation.core.subtask import Scenario
from review.models import Role
from review.services.invitations import DEFAULT_DAYS, MOST_DAYS
from review.views.questions import scenario_word

ROLES = {
    Role.ANNOTATOR: _("annotator"),
    Role.LEAD: _("lead"),
    Role.ADMIN: _("admin"),
}
LANGUAGES = {
    Language.EN: _("English"),
    Language.ZH: _("Chinese"),
}


def scenario_choices() -> list[tuple[str, str]]:
    """Return the scenarios with their names for people."""
    return [(scenario.value, scenario_word(scenario)) for scenario in Scenario]


def language_choices() -> list[tuple[str, Any]]:
    """Return the languages of items with their names for people."""
    return [(language.value, word) for language, word in LANGUAGES.items()]


class SkillsForm(forms.Form):
    """Which languages and scenarios somebody can judge; none chosen means all."""

    languages = forms.MultipleChoiceField(required=False, choices=language_choices)
    scenarios = forms.MultipleChoiceField(required=False, choices=scenario_choices)


class LanguagesForm(forms.Form):
    """Which languages somebody says that they can judge."""

    languages = forms.MultipleChoiceField(required=False, choices=language_choices)


class RoleForm(forms.Form):
    """Another role."""

    role = forms.ChoiceField(choices=list(ROLES.items()))


class InvitationForm(SkillsForm):
    """Whom the link is to make, and how long it holds."""

    role = forms.ChoiceField()
    note = forms.CharField(required=False, max_length=200)
    days = forms.IntegerField(min_value=1, max_value=MOST_DAYS, initial=DEFAULT_DAYS)

    def __init__(self, *args: Any, roles: list[Role], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        role = self.fields["role"]
        assert isinstance(role, forms.ChoiceField)
        role.choices = [(role.value, ROLES[role]) for role in roles]
        days = self.fields["days"]
        days.error_messages["max_value"] = days.error_messages["min_value"] = gettext(
            "An invitation lasts from 1 to 90 days."
        )


class PasswordPair(forms.Form):
    """A new password, typed twice."""

    password = forms.CharField(strip=False, max_length=4096)
    repeated = forms.CharField(strip=False, max_length=4096)

    def owner(self) -> User:
        """Return whose password it will be: it may not be like their name."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Return the data; refuse two different passwords, and a weak one with all reasons."""
        data = super().clean() or {}
        password, repeated = data.get("password"), data.get("repeated")
        if password and repeated and password != repeated:
            self.add_error("repeated", gettext("The two passwords differ."))
        if password:
            try:
                validate_password(password, self.owner())
            except ValidationError as weak:
                self.add_error("password", weak)
        return data


class AcceptForm(PasswordPair):
    """The name and the password of somebody who follows an invitation."""

    username = forms.CharField(max_length=150)

    field_order = ("username", "password", "repeated")

    def owner(self) -> User:
        """Return a user of the typed name, not stored."""
        return User(username=self.cleaned_data.get("username", ""))

    def clean_username(self) -> str:
        """Return the name as it would be stored; refuse signs that no name may hold."""
        name = User.normalize_username(self.cleaned_data["username"])
        User._meta.get_field("username").run_validators(name)
        return str(name)


class OwnPasswordForm(PasswordPair):
    """The old password and a new one."""

    old = forms.CharField(strip=False, max_length=4096)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def owner(self) -> User:
        """Return the person at work."""
        return self.user

    def clean_old(self) -> str:
        """Return the old password; refuse another."""
        old: str = self.cleaned_data["old"]
        if not self.user.check_password(old):
            raise ValidationError(gettext("This is not your password."))
        return old
