import { Conflict } from '#kernel/errors';

/** How the version of an image relates to the version that wrote the data. */
export type VersionChange = 'same-series' | 'downgrade' | 'major-upgrade';

/** `16.14-1.pgdg120+1`, `1:11.8.9+maria~ubu2404` and `v1.15.1` as numbers; empty for a text without a version. */
export function versionNumbers(text: string): readonly number[] {
  const found = /^(?:\d+:|v)?(\d+(?:\.\d+)*)/.exec(text.trim());
  return found ? found[1]!.split('.').map(Number) : [];
}

/**
 * Compares the version of an image with the version that wrote the data.
 * @param seriesParts how many leading numbers identify a series: 1 for PostgreSQL (16), 2 for the others (8.4, 11.8)
 */
export function versionChange(from: string, to: string, seriesParts: number): VersionChange {
  const [before, after] = [versionNumbers(from), versionNumbers(to)];
  if (before.length === 0 || after.length === 0) return 'same-series';
  for (let at = 0; at < seriesParts; at += 1) {
    const difference = (after[at] ?? 0) - (before[at] ?? 0);
    if (difference !== 0) return difference < 0 ? 'downgrade' : 'major-upgrade';
  }
  return 'same-series';
}

const INSTEAD = 'Deploy a new service from the template of that version and restore a backup into it.';

/**
 * Data can be used only by the same series, and not by an older version. @returns null if the image may use the data
 */
export function versionRefusal(from: string, to: string, seriesParts: number): Conflict | null {
  switch (versionChange(from, to, seriesParts)) {
    case 'same-series':
      return null;
    case 'downgrade':
      return new Conflict(
        'version_downgrade',
        `The data were written by ${from}; the image is ${to}, an older one. ${INSTEAD}`,
      );
    case 'major-upgrade':
      return new Conflict(
        'major_upgrade_unsupported',
        `The data were written by ${from}; the image is ${to}, of another series. ${INSTEAD}`,
      );
  }
}
