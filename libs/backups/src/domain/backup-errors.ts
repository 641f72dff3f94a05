import { Conflict, Invalid } from '#kernel/errors';
import type { DiskSpace } from './disk-space.js';

/** Another backup of the same service is queued or running. */
export class BackupInProgress extends Conflict {
  constructor() {
    super('backup_in_progress', 'A backup of this service is waiting or running.');
  }
}

/** Another restore into the same service is queued or running. */
export class RestoreInProgress extends Conflict {
  constructor() {
    super('restore_in_progress', 'A restore into this service is waiting or running.');
  }
}

/** The backup is in a state that does not allow the request, such as restoring a failed backup. */
export class BackupStateRefuses extends Conflict {
  constructor(message: string) {
    super('invalid_state', message);
  }
}

/** The version of the target server cannot read the backup. */
export class BackupVersionRefused extends Conflict {
  constructor(message: string) {
    super('backup_version_unsupported', message);
  }
}

/** The service was not created from a database template, so no method of backing it up is known. */
export class NotBackedUp extends Conflict {
  constructor() {
    super('backup_unsupported', 'Only services that were made from a database template have backups.');
  }
}

export class ScheduleNeverRuns extends Invalid {
  constructor(message: string) {
    super('validation_failed', message, [{ path: '/schedule', code: 'invalid_format', message }]);
  }
}

/** This worker no longer holds the lease and must stop: another worker may have taken over. */
export class BackupLeaseLost extends Error {
  constructor() {
    super('the lease of the backup is lost');
    this.name = 'BackupLeaseLost';
  }
}

/**
 * The dump, the verification or the restore failed. The message is shown to the owner of the service: no secrets in it.
 */
export class BackupFailed extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'BackupFailed';
  }
}

/** A restore was ended before it could fill the disk of the database. It says nothing about the backup itself. */
export class DiskNearlyFull extends BackupFailed {
  constructor({ freeBytes }: DiskSpace) {
    super(
      `The disk of the database has only ${Math.floor(freeBytes / 2 ** 20)} MB left. The restore was ended before it ` +
        'could fill the disk; make room for a second copy of the data.',
    );
  }
}
