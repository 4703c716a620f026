from django.db import migrations

from generation.models.triggers import immutable


class Migration(migrations.Migration):
    dependencies = [("review", "0002_immutable_releases")]

    operations = [
        immutable(
            "review_blindanswer", "a blind answer is immutable", [("id",), ("assignment_id",)]
        ),
    ]
