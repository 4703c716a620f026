"""The Celery application: settings from Django, tasks from the apps."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")

app = Celery("apt_annotate")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
