from django.db import migrations

from generation.models.triggers import immutable


class Migration(migrations.Migration):
    dependencies = [("generation", "0001_first_tables")]

    operations = [immutable("generation_auditevent", "the audit trail is append-only", [("id",)])]
