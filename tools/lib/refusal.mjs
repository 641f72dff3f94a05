/**
 * A problem that the person at the keyboard can fix: a busy port, a broken folder, a wrong URL. The message is one line
 * with the problem and the remedy; it reaches stderr without a stack trace.
 */
export class Refusal extends Error {}

/** Removes passwords from connection URLs, so that any text may be printed. */
export const withoutPasswords = (text) => text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s@]*@/gi, '$1:***@');

const oneLine = (text) =>
  withoutPasswords(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim();

const FILE_TROUBLE = {
  EACCES: 'permission denied: start as the owner of that place, or give it to your account with chown',
  EPERM: 'permission denied: start as the owner of that place, or give it to your account with chown',
  EROFS: 'the file system is read-only: work in a checkout on a writable one',
  ENOSPC: 'the disk is full: free some space',
  ENOTDIR: 'this is a file where a folder must be: move it away',
  EEXIST: 'this is a file where a folder must be: move it away',
  EISDIR: 'this is a folder where a file must be: move it away',
};

/** The one line for an error: a refusal as it is, file errors with their remedy, the rest marked as unexpected. */
export function explain(error) {
  if (error instanceof Refusal) return oneLine(error.message);
  if (error?.path && FILE_TROUBLE[error.code]) return oneLine(`${error.path}: ${FILE_TROUBLE[error.code]}`);
  return oneLine(`unexpected failure: ${error?.message || String(error)} (DEBUG=1 shows where)`);
}
