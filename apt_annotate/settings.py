"""The project's settings; what differs between machines comes from the environment alone."""

from pathlib import Path
from typing import Any

import django_stubs_ext

from apt_annotate import environment

django_stubs_ext.monkeypatch()

PROJECT_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = environment.directory("APT_VAR_DIR", PROJECT_DIR / "var")

DEBUG = environment.flag("APT_DEBUG")
SECRET_KEY = environment.secret_key(VAR_DIR, debug=DEBUG)
ALLOWED_HOSTS = environment.words("APT_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
BEHIND_TLS_PROXY = environment.flag("APT_TRUSTED_PROXY")

# How many independent reviews a revision needs.
REVIEWS_WANTED = environment.whole_number("APT_REVIEWS_WANTED", 2, low=1, high=9)
LEASE_MINUTES = environment.whole_number("APT_LEASE_MINUTES", 30, low=1, high=1440)
LONG_LEASE_DAYS = environment.whole_number("APT_LONG_LEASE_DAYS", 7, low=1, high=60)
# How long one request to a model may take, in seconds.
LLM_TIMEOUT = environment.whole_number("APT_LLM_TIMEOUT", 120, low=1, high=3600)
# How many megabytes a lead may upload at once, and where it waits for the worker.
UPLOAD_MB = environment.whole_number("APT_UPLOAD_MB", 512, low=1, high=65_536)
UPLOADS_DIR = VAR_DIR / "uploads"
UPLOADS_DIR.mkdir(exist_ok=True)

INSTALLED_APPS = [
    "apt_annotate.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "template_partials",
    "generation",
    "review",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "apt_annotate.middleware.utf8_forms_only",
    "apt_annotate.middleware.no_nul_in_addresses",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "apt_annotate.middleware.api_in_english",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apt_annotate.middleware.KeepingLoginRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "apt_annotate.urls"
WSGI_APPLICATION = "apt_annotate.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PROJECT_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": environment.database(VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "review.authentication.MemberBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
CSRF_FAILURE_VIEW = "review.views.kept_text.csrf_failure"

AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_IPWARE_PROXY_COUNT = 1 if BEHIND_TLS_PROXY else 0
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [PROJECT_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = not DEBUG
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [PROJECT_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = False

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
    }
}
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SECURE_SSL_REDIRECT = not DEBUG
SECURE_HSTS_SECONDS = 0 if DEBUG else 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not DEBUG
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS_PROXY else None
FILE_UPLOAD_HANDLERS = ["review.views.upload_handler.LeadsUploads"]
FILE_UPLOAD_TEMP_DIR = UPLOADS_DIR
# One more than an upload may have, so that the page for it says that they are too many.
DATA_UPLOAD_MAX_NUMBER_FILES = 501
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "review.api.authentication.BearerAuthentication",
        "review.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_PARSER_CLASSES": ["review.api.json_format.JsonParser"],
    "DEFAULT_PERMISSION_CLASSES": ["review.api.permissions.Allowed"],
    "DEFAULT_RENDERER_CLASSES": ["review.api.json_format.JsonRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "review.api.problems.handle",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "APT Annotate",
    "VERSION": "1",
    "DESCRIPTION": "Review of benchmark questions by programs: the services and rules of the pages.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["review.api.schema.only_known_fields"],
}

CELERY_BROKER_URL = environment.broker_url()
CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_options(CELERY_BROKER_URL, VAR_DIR)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "end-leases": {"task": "review.tasks.end_leases", "schedule": 60.0},
    "sweep-jobs": {"task": "generation.tasks.sweep_jobs", "schedule": 30.0},
    "sweep-calls": {"task": "generation.tasks.sweep_calls", "schedule": 30.0},
    "sweep-bulk-actions": {"task": "review.tasks.sweep_bulk_actions", "schedule": 60.0},
    "sweep-measurements": {"task": "review.tasks.sweep_measurements", "schedule": 60.0},
}

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    # Django's own handlers would print each line a second time where DEBUG is on.
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        "django.server": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
