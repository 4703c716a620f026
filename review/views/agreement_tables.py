"""The columns of the agreement page's tables, and their files."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.http import QueryDict, StreamingHttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from review.services.agreement import By
from review.services.votes import pseudonym
from review.views.agreement_rows import Row
from review.views.tables import Column, Table


def _of(name: str) -> Callable[[Row], Any]:
    return lambda row: row.entry[name]


_NUMBERS = (
    Column("items", _("items"), _of("n_items"), is_number=True),
    Column(
        "pairable",
        _("pairable"),
        _of("n_pairable"),
        is_number=True,
        title=_("items with 2 or more labels"),
    ),
    Column("reviewers", _("reviewers"), _of("n_raters"), is_number=True),
    Column("raw", pgettext_lazy("agreement", "raw"), _of("raw"), is_number=True),
    Column("alpha", _("alpha"), lambda row: row.entry["alpha"]["value"], is_number=True),
    Column(
        "ac1",
        "AC1",
        _of("ac1"),
        is_number=True,
        title=_("in brackets what two independent reviewers would reach"),
    ),
    Column("brennan_prediger", "Brennan-Prediger", _of("brennan_prediger"), is_number=True),
    Column("fleiss", "Fleiss", _of("fleiss"), is_number=True),
)
MEASURES = Table(
    "measures",
    (
        Column(
            "measure", _("measure"), lambda row: str(row.name), in_file=lambda row: str(row.key)
        ),
        *_NUMBERS,
    ),
    anchor="measures-title",
)
GROUPS = Table(
    "groups",
    (Column("group", _("group"), lambda row: row.key), *_NUMBERS),
    anchor="groups-title",
)
WORST = Table(
    "worst",
    (
        Column("item", _("item"), lambda item: (item["subtask"], item["candidate"])),
        Column("revision", _("revision"), lambda item: item["revision"], is_number=True),
        Column("distance", _("distance"), lambda item: item["distance"], is_number=True),
        Column("pairs", _("pairs of reviewers"), lambda item: item["pairs"], is_number=True),
    ),
    anchor="worst-title",
)


def file_of_groups(
    asked: QueryDict, rows: Sequence[Row], *, by: str
) -> StreamingHttpResponse | None:
    """Return the file of groups that an address asks for; people are pseudonyms in it."""
    if by != By.REVIEWER:
        return GROUPS.file(asked, rows)
    names: Mapping[str, int] = dict(User.objects.values_list("username", "pk"))
    group = Column(
        "group",
        _("group"),
        lambda row: row.key,
        in_file=lambda row: pseudonym(names[row.key]) if row.key in names else None,
    )
    return Table("groups", (group, *_NUMBERS)).file(asked, rows)
