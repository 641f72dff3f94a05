import { Conflict } from '#kernel/errors';

/** The file cannot be restored, or not into this database, which is unchanged. */
export class SelfRestoreRefused extends Conflict {
  constructor(message: string) {
    super('restore-refused', message);
  }
}
