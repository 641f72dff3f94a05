import { versionNumbers } from '#libs/templates';

/**
 * `mongorestore` promises the same major version alone, which is the first two numbers.
 * @param from that was dumped @param to that is to read it
 * @returns why it cannot; null when it can
 */
export function versionRefusal(from: string, to: string): string | null {
  const [series, other] = [from, to].map((version) => versionNumbers(version).slice(0, 2));
  if (series?.length !== 2 || other?.length !== 2 || series.join('.') === other.join('.')) return null;
  return `A dump of MongoDB ${from} can be restored into ${series.join('.')} only; the server is ${to}.`;
}
