"""The app that holds reviews, settlements and releases."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """Configuration of ``review``."""

    name = "review"
    verbose_name = "Reviews and releases"
