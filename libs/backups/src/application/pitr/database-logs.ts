import { Inject, Injectable } from '@nestjs/common';
import { BackupFailed } from '../../domain/backup-errors.js';
import { DATABASE_LOGS, type DatabaseLog } from './database-log.js';

/** Finds the log of a template, if it supports point-in-time recovery. */
@Injectable()
export class DatabaseLogs {
  constructor(@Inject(DATABASE_LOGS) private readonly logs: readonly DatabaseLog[]) {}

  find(template: string): DatabaseLog | null {
    return this.logs.find(({ templates }) => templates.includes(template)) ?? null;
  }

  /** @throws BackupFailed when the template does not support point-in-time recovery */
  of({ template }: { readonly template: string }): DatabaseLog {
    const log = this.find(template);
    if (!log) throw new BackupFailed(`The log of ${template} is not archived.`);
    return log;
  }
}
