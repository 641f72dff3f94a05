import { versionNumbers } from '#libs/templates';

/**
 * Qdrant reads the storage of its own minor version and of the one before.
 * @param from that wrote the snapshot @param to that is to read it
 * @returns why it cannot; null when it can
 */
export function versionRefusal(from: string, to: string): string | null {
  const [[major, minor], [nextMajor, nextMinor]] = [versionNumbers(from), versionNumbers(to)];
  if (major === undefined || minor === undefined || nextMajor === undefined || nextMinor === undefined) return null;
  const isReadable = major === nextMajor && (nextMinor === minor || nextMinor === minor + 1);
  return isReadable
    ? null
    : `A snapshot of Qdrant ${from} can be restored into ${major}.${minor} and ${major}.${minor + 1} only; the server is ${to}.`;
}
