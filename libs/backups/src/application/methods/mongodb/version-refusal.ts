import { versionNumbers } from '#libs/templates';

/**
 * `mongorestore` supports only the same major version, which is the first two numbers.
 * @param from version of the dumped server
 * @param to version of the target server
 * @returns why the dump cannot be restored; null when it can
 */
export function versionRefusal(from: string, to: string): string | null {
  const [series, other] = [from, to].map((version) => versionNumbers(version).slice(0, 2));
  if (series?.length !== 2 || other?.length !== 2 || series.join('.') === other.join('.')) return null;
  return `A dump of MongoDB ${from} can be restored into ${series.join('.')} only; the server is ${to}.`;
}
