import type { ProgramEnd, TemplateSecrets } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';

const MAX_REASON_LENGTH = 300;

/** The program's own reason for its failure, in one line, without control characters and secrets of the service. */
export function programFailure(
  program: string,
  { exitCode, stderrTail }: ProgramEnd,
  secrets: TemplateSecrets,
): BackupFailed {
  const lines = stderrTail.trim().split('\n');
  // MongoDB's tools mark the reason with "Failed:", and mongorestore prints its statistics after it.
  let text = lines.findLast((line) => line.includes('\tFailed: ')) ?? lines.at(-1) ?? '';
  for (const secret of secrets.values()) text = text.replaceAll(secret.reveal(), '[redacted]');
  const said = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_REASON_LENGTH);
  return new BackupFailed(`${program} ended with ${exitCode}${said === '' ? '.' : `: ${said}`}`);
}
