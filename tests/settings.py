"""Production settings with the environment a test run needs."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("APT_SECRET_KEY", "tests-only-" + "0123456789abcdef" * 4)

from apt_annotate.settings import *  # noqa: F403

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, as in production: threads that share a database in memory do not wait for locks.
    folder = Path(tempfile.mkdtemp(prefix="apt-annotate-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    DATABASES["default"]["TEST"] = {"NAME": str(folder / "test.sqlite3")}  # noqa: F405
    # As the test server of PostgreSQL: a database of tests need not outlive the machine.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"  # noqa: F405

# A kept connection of a server's thread would outlive its test and hold the database.
DATABASES["default"]["CONN_MAX_AGE"] = 0  # noqa: F405

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Messages of the tests' own process stay in its memory; programs that tests start have brokers.
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {}

# Tests speak plain HTTP, and read static files where they lie.
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = False
LANGUAGE_COOKIE_SECURE = False
SECURE_HSTS_SECONDS = 0
STORAGES = {
    **STORAGES,  # noqa: F405
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = PROJECT_DIR / "static"  # noqa: F405
WHITENOISE_USE_FINDERS = True
