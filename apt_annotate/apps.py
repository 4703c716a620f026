"""Puts the project's own administration site in the place of Django's."""

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    """Configuration of the administration."""

    default = False
    default_site = "apt_annotate.administration.Administration"
