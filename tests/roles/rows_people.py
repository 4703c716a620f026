"""Addresses about people and the project: guidelines, members, invitations, settings."""

from tests.roles.row import Row

# anonymous, no member, owner, other, lead, admin
_EVERYBODY = "302 200 200 200 200 200"
_READ = "302 403 403 403 200 200"
_BY_LEADS = "302 403 403 403 303 303"
_TYPED_BY_LEADS = "401 403 403 403 303 303"
_BY_ADMINS = "302 403 403 403 403 303"

ROWS = [
    Row("guidelines", "/guidelines/", _EVERYBODY),
    Row("guidelines-history", "/guidelines/versions", _EVERYBODY),
    Row(
        "guidelines-edit",
        "/guidelines/edit?language=en",
        _READ,
        _TYPED_BY_LEADS,
        data={"language": "en", "body": "New text.", "note": "all of it", "based_on": "1"},
        leaves="guidelines.saved",
    ),
    Row(
        "guidelines-restore",
        "/guidelines/restore",
        "",
        _TYPED_BY_LEADS,
        data={"language": "en", "version": "0", "based_on": "1"},
        leaves="guidelines.saved",
    ),
    Row("people", "/people/", _READ),
    Row("person", "/people/{person}/", _READ),
    Row(
        "person-skills",
        "/people/{person}/skills",
        "",
        _TYPED_BY_LEADS,
        data={"languages": "zh"},
        leaves="member.skills_changed",
    ),
    Row("person-vouch", "/people/{person}/vouch", "", _BY_LEADS, leaves="member.qualified"),
    Row(
        "person-further",
        "/people/{person}/further",
        "",
        _BY_LEADS,
        quiet="no qualification round is on: the page says so and nothing is given",
    ),
    Row(
        "person-role",
        "/people/{person}/role",
        "",
        "401 403 403 403 403 303",
        data={"role": "lead"},
        leaves="member.role_changed",
    ),
    Row(
        "person-deactivate",
        "/people/{person}/deactivate",
        "",
        _BY_ADMINS,
        leaves="member.deactivated",
    ),
    Row(
        "person-reactivate",
        "/people/{inactive}/reactivate",
        "",
        _BY_ADMINS,
        leaves="member.reactivated",
    ),
    Row(
        "person-withdraw",
        "/people/{person}/withdraw",
        "",
        "401 403 403 403 403 303",
        data={"word": "other"},
        leaves="member.withdrawn",
    ),
    Row(
        "invitations",
        "/people/invitations/",
        _READ,
        "401 403 403 403 201 201",
        data={"role": "annotator", "days": "7"},
        leaves="invitation.made",
    ),
    Row(
        "invitation-revoke",
        "/people/invitations/{invitation}/revoke",
        "",
        _BY_LEADS,
        leaves="invitation.revoked",
    ),
    Row(
        "invitation",
        "/invitation/{secret}/",
        "200 200 200 200 200 200",
        "303 200 200 200 200 200",
        data={"username": "new", "password": "lamp-rope-9", "repeated": "lamp-rope-9"},
        leaves="invitation.used",
    ),
    Row(
        "project",
        "/project/",
        _READ,
        _TYPED_BY_LEADS,
        data={"control_percent": "5", "qualification_items": "0", "qualification_bar": "80"},
        leaves="project.changed",
    ),
    Row(
        "controls",
        "/project/controls/",
        _READ,
        _TYPED_BY_LEADS,
        data={"candidate": "{settled}", "use": "queue", "decision": "approve", "why": "Plain."},
        leaves="control.made",
    ),
    Row(
        "control-retire",
        "/project/controls/{control}/retire",
        "",
        _BY_LEADS,
        leaves="control.retired",
    ),
]
