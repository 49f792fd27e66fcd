"""Back up a deployment and restore it."""

from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from app.commands.session import DatabaseUrl, DataDir, Refused, err, out, read_settings, require_secret_key


def backup(
    file: Annotated[
        Path | None, typer.Argument(help="The archive to write; there may be no such file yet.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(help="A folder or s3://bucket/prefix of backups instead: they are named by their time."),
    ] = None,
    keep: Annotated[int, typer.Option(min=1, help="With --to: how many backups stay there.")] = 14,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write database and uploaded files into one archive, while service and worker go on. It is encrypted
    where PARLEY_BACKUP_KEY is set. The secret key is not in it: keep both keys elsewhere."""
    from app.service.backup.making import make_backup
    from app.service.backup.manifest import Manifest
    from app.service.backup.rotation import back_up_to, parse_place
    from app.service.backup.sqlite_file import require_database
    from app.service.context import open_context

    if (file is None) == (to is None):
        raise Refused("name the archive to write, or --to and the place of your backups, one of them")
    settings = read_settings(data_dir, database_url)
    require_secret_key(settings)
    removed = 0
    with _one_line(Path(to or "") if file is None else file.absolute()):
        require_database(settings.resolved_database_url)
        with (
            closing(open_context(settings)) as context,
            err.status("Copying the database …") as status,
        ):

            def on_file(number: int, all_files: int) -> None:
                status.update(f"Copied {number:,} of {all_files:,} files …")

            def make(target: Path) -> Manifest:
                return make_backup(context, target, on_file)

            if file is not None:
                name, made = str(file), make(file.absolute())
            else:
                name, made, removed = back_up_to(
                    parse_place(to or ""),
                    make,
                    now=context.clock(),
                    keep=keep,
                    is_sealed=settings.backup_key is not None,
                )
    for missing in made.missing_files:
        err.print(
            f"Missing: the file {missing} has a row and no bytes, and is not in the backup.", markup=False
        )
    for damaged in made.damaged_files:
        err.print(f"Damaged: the file {damaged} has other bytes than were uploaded.", markup=False)
    out.print(
        f"{name}: the database at revision {made.revision} and {len(made.members) - 1:,} files,"
        f" {sum(one.size for one in made.members):,} bytes. Keep the secret key too: it is not in it.",
        markup=False,
    )
    if removed:
        out.print(f"{removed:,} older backups were removed; {keep:,} stay.")


def restore(
    file: Annotated[Path, typer.Argument(help="The archive that `parley backup` wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the database that is there; SQLite keeps it beside.")
    ] = False,
    without_secrets: Annotated[
        bool,
        typer.Option(
            "--without-secrets",
            help="Restore without the secret key: webhooks and second opinions are turned off until their"
            " secrets are entered again.",
        ),
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Verify the archive and restore nothing.")] = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Restore a backup while nothing else uses the database. Everybody signs in again afterwards."""
    from app.service.backup.archive import read_archive
    from app.service.backup.restoring import require_restorable
    from app.service.backup.restoring import restore as restore_backup
    from app.service.context import open_context
    from app.service.database.schema import newest_revision
    from app.service.vault import Vault, kept_key

    settings = read_settings(data_dir, database_url)
    require_secret_key(settings)
    with _one_line(settings.data_dir), ExitStack() as stack:
        with err.status("Verifying the backup …"):
            archive = stack.enter_context(read_archive(file, settings.resolved_backup_key))
        made = archive.manifest
        out.print(
            f"Verified: Parley {made.version}, revision {made.revision}, of {made.created_at:%Y-%m-%d %H:%M}"
            f" UTC, {sum(1 for _ in archive.files()):,} files."
        )
        if check:
            if made.revision > newest_revision():
                err.print(f"This version cannot restore it: it knows revision {newest_revision()}.")
            return
        kept = kept_key(settings.data_dir)
        keys = settings.secret_keys or ([kept] if kept else [])
        known = Vault(*keys).fingerprints() if keys else []
        store = "postgresql" if settings.is_postgresql else "sqlite"
        require_restorable(made, store, known, without_secrets=without_secrets)
        context = stack.enter_context(closing(open_context(settings)))
        with err.status("Restoring …"):
            done = restore_backup(context, archive, replace=replace, without_secrets=without_secrets)
    if done.migrated_from is not None:
        out.print(f"The database was migrated from revision {done.migrated_from} to this version's.")
    if done.kept is not None:
        out.print(f"The database before is kept: {done.kept}", markup=False)
    settled = done.settled
    out.print(f"Restored. {settled.sessions:,} sessions ended: people sign in again.")
    if settled.letters:
        out.print(
            f"{settled.letters:,} letters to suppliers wait as drafts: they may have left after the backup."
        )
    if settled.deliveries or settled.reminders:
        out.print(
            f"{settled.deliveries:,} deliveries and {settled.reminders:,} reminders are still due. Those that"
            " left after the backup leave again under the same ids, by which receivers drop doubles."
        )
    if settled.webhooks_without_secret:
        out.print(f"{settled.webhooks_without_secret:,} webhooks are off until they have a new secret.")
    if done.manifest.missing_files:
        err.print(f"{len(done.manifest.missing_files):,} files were missing when the backup was made.")


@contextmanager
def _one_line(place: Path) -> Generator[None]:
    """Faults as one line, which names the place that is written to where the system does not."""
    from app.service.backup.manifest import BackupFault
    from app.service.storage.file_storage import DamagedFile, StorageFault

    try:
        yield
    except (BackupFault, StorageFault, DamagedFile) as fault:
        raise Refused(str(fault)) from None
    except OSError as error:
        raise Refused(f"{error.filename or place}: {error.strerror or error}") from None
