"""The project: settings, addresses, and the Celery application that tasks are sent through."""

from apt_annotate.celery import app as celery_app

__all__ = ["celery_app"]
