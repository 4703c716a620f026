"""The tables of sources and candidates in the administration: read and searched, never changed."""

from collections.abc import Collection
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Model
from django.http import HttpRequest

from generation.models.fields import OrderedJSONField

_MOST_COLUMNS = 9


class ReadOnly(admin.ModelAdmin[Any]):
    """A table whose rows are shown and searched; services alone change them.

    ``secret`` names the columns that nobody is shown.
    """

    secret: Collection[str] = ()
    list_per_page = 50
    show_full_result_count = False
    view_on_site = False
    actions = None

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return whether the site lets the person in."""
        return self.admin_site.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the site lets the person in."""
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: rows come from services."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: services change rows."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: nothing is deleted."""
        return False


def readable(model: type[Model], *, secret: Collection[str] = ()) -> type[ReadOnly]:
    """Return the administration of a table, its columns and search taken from its fields.

    Keys of other tables are shown as numbers, so that a list costs one query whatever it names;
    people are shown by name. Long texts stand on the row's own page alone.
    """
    fields = [field for field in model._meta.concrete_fields if field.name not in secret]
    short = [field for field in fields if not isinstance(field, models.TextField)]
    people = [field.name for field in fields if field.related_model is User]
    texts = [
        field.name
        for field in fields
        if isinstance(field, models.CharField | models.TextField)
        and not isinstance(field, OrderedJSONField)
    ]
    named = [
        field.attname if field.is_relation and field.name not in people else field.name
        for field in short
        if not isinstance(field, models.UUIDField)
    ]
    return type(
        f"{model.__name__}Admin",
        (ReadOnly,),
        {
            "secret": tuple(secret),
            "fields": [field.name for field in fields if field.name != "id"],
            "list_display": ["pk", *(name for name in named if name != "id")][:_MOST_COLUMNS],
            "list_select_related": people or False,
            "list_filter": [
                field.name
                for field in short
                if field.choices or isinstance(field, models.BooleanField)
            ],
            "search_fields": ["=pk", *texts, *(f"{name}__username" for name in people)],
            "ordering": ["-pk"],
        },
    )


for each in apps.get_app_config("generation").get_models():
    admin.site.register(each, readable(each))
