"""What the worker and the service compare with is what Alembic says."""

from alembic.config import Config
from alembic.script import ScriptDirectory

from app.service.database.schema import MIGRATIONS, newest_revision


def test_the_newest_revision_is_alembics_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert newest_revision() == ScriptDirectory.from_config(config).get_current_head()
