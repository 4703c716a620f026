"""A JSON column that keeps the order of keys and takes every text, on both databases.

PostgreSQL's ``jsonb`` reorders keys and refuses ``\\u0000``; a release must be the same bytes
whatever database held it, so the JSON is stored as text.
"""

import json
from typing import Any

from django.db import models


class OrderedJSONField(models.TextField[Any, Any]):
    """JSON stored as compact ASCII text; not for querying inside."""

    # What the type checker takes an attribute of this field to hold.
    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, *_unused: object) -> Any:
        """Return the value that the stored text holds."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Return the text to store.

        Raises:
            ValueError: the value holds NaN or an infinity.
        """
        if value is None:
            return None
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)

    def to_python(self, value: Any) -> Any:
        """Return ``value`` unchanged: it is data, not a form's text."""
        return value

    def value_to_string(self, obj: models.Model) -> str:
        """Return the JSON text for Django's serialisers."""
        return self.get_prep_value(self.value_from_object(obj)) or ""
