"""Production settings with the environment a test run needs."""

import os

os.environ.setdefault("APT_SECRET_KEY", "tests-only-" + "0123456789abcdef" * 4)

from apt_annotate.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
