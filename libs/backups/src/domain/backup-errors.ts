import { Conflict, Invalid } from '#kernel/errors';

/** Another backup of the service waits or runs. */
export class BackupInProgress extends Conflict {
  constructor() {
    super('backup_in_progress', 'A backup of this service is waiting or running.');
  }
}

/** Another restore into the service waits or runs. */
export class RestoreInProgress extends Conflict {
  constructor() {
    super('restore_in_progress', 'A restore into this service is waiting or running.');
  }
}

/** The state of the backup does not allow what was asked for. */
export class BackupStateRefuses extends Conflict {
  constructor(message: string) {
    super('invalid_state', message);
  }
}

/** The server is of a version that cannot read the backup. */
export class BackupVersionRefused extends Conflict {
  constructor(message: string) {
    super('backup_version_unsupported', message);
  }
}

/** Only databases that were made from a template can be backed up. */
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

/** This worker lost the right to go on: another one has the work, or nobody. */
export class BackupLeaseLost extends Error {
  constructor() {
    super('the lease of the backup is lost');
    this.name = 'BackupLeaseLost';
  }
}

/** The dump, the proof or the restore failed. The message is for the owner of the service and holds no secret. */
export class BackupFailed extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'BackupFailed';
  }
}
