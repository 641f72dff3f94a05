import { versionNumbers } from '#libs/templates';

/**
 * Qdrant can read the storage of its own minor version and of the previous one.
 * @param from version of the server that made the snapshot
 * @param to version of the target server
 * @returns why the snapshot cannot be restored; null when it can
 */
export function versionRefusal(from: string, to: string): string | null {
  const [[major, minor], [nextMajor, nextMinor]] = [versionNumbers(from), versionNumbers(to)];
  if (major === undefined || minor === undefined || nextMajor === undefined || nextMinor === undefined) return null;
  const isReadable = major === nextMajor && (nextMinor === minor || nextMinor === minor + 1);
  return isReadable
    ? null
    : `A snapshot of Qdrant ${from} can be restored into ${major}.${minor} and ${major}.${minor + 1} only; the server is ${to}.`;
}
