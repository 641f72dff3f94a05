import type { ProgramEnd, TemplateSecrets } from '#libs/services';
import { BackupFailed } from '../../domain/backup-errors.js';

const MAX_REASON_LENGTH = 300;
/** Also of the tools of MongoDB, which give their reason a name. */
const ERROR = /(?:^|: )(?:error|fatal|panic)\b|\tFailed: /i;

/** The program's own reason for its failure, in one line, without control characters and secrets of the service. */
export function programFailure(
  program: string,
  { exitCode, stderrTail }: ProgramEnd,
  secrets: TemplateSecrets,
): BackupFailed {
  const lines = stderrTail.trim().split('\n');
  // Many say more behind it, such as the statement, or rows of the database.
  const at = lines.findLastIndex((line) => ERROR.test(line));
  const hint = at < 0 ? undefined : lines.slice(at + 1).find((line) => line.startsWith('HINT:'));
  // What is that long is a statement with rows in it.
  const reason = lines.at(at) ?? '';
  const isReason = at >= 0 || reason.length <= MAX_REASON_LENGTH;
  let text = [isReason ? reason : '', ...(hint === undefined ? [] : [hint])].join(' ');
  for (const secret of secrets.values()) text = text.replaceAll(secret.reveal(), '[redacted]');
  const said = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_REASON_LENGTH);
  return new BackupFailed(`${program} ended with ${exitCode}${said === '' ? '.' : `: ${said}`}`);
}
