"""Fields that take JSON of their own type alone, and bodies that take known fields alone."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

LONGEST_TEXT = 20_000


class Body(serializers.Serializer[Any]):
    """The body of a request: an unknown field is refused, since it would be dropped silently."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the validated data.

        Raises:
            ValidationError: by field, unknown ones included.
        """
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(dict.fromkeys(unknown, "No such field."))
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A string, as it is."""

    def __init__(self, **options: Any) -> None:
        usual = {"max_length": LONGEST_TEXT, "trim_whitespace": False, "allow_blank": True}
        super().__init__(**usual | options)

    def to_internal_value(self, data: Any) -> str:
        """Return the text; a number is none."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number; true, 1.5 and "1" are none."""
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Seconds(serializers.FloatField):
    """A time of up to a day, in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": 86_400, "default": 0.0} | options)

    def to_internal_value(self, data: Any) -> float:
        """Return the number; true and "1" are none."""
        if not isinstance(data, int | float) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the flag; 1 and "yes" are none."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Key(serializers.UUIDField):
    """A UUID as a string."""

    def to_internal_value(self, data: Any) -> UUID:
        """Return the UUID; a number is none."""
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class OneOf(serializers.ChoiceField):
    """One of a closed set of words."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the word; a number is none."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)
