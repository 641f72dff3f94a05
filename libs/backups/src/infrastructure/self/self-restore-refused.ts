import { Conflict } from '#kernel/errors';

/** The file cannot be restored, or not here; the database is as it was. */
export class SelfRestoreRefused extends Conflict {
  constructor(message: string) {
    super('restore-refused', message);
  }
}
