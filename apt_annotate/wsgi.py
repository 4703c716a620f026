"""The WSGI application that gunicorn serves."""

import gc
import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")

application = get_wsgi_application()

from django.conf import settings  # noqa: E402  the settings are read by the line above

try:
    _ = settings.SECRET_KEY
except ImproperlyConfigured as error:
    msg = "APT_SECRET_KEY is not set: give a long random string (or APT_DEBUG=1 for local work)"
    raise ImproperlyConfigured(msg) from error

# What is loaded by now lives as long as the process: collections need not walk it for every few
# hundred objects of a request, which costs a tenth of its time.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 20)
