import type { Clues, SourceText } from '../clues.js';

/** A parsed package.json. */
export interface PackageFile extends SourceText {
  readonly scripts: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function readPackageFile(clues: Clues): Promise<PackageFile | null> {
  const file = await clues.json('package.json');
  if (!file) return null;
  const names = (key: string) => new Set(Object.keys(objectAt(file.data, key)));
  const scripts = Object.entries(objectAt(file.data, 'scripts')).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string' && entry[1].trim() !== '';
  });
  return {
    ...file,
    scripts: new Map(scripts),
    dependencies: names('dependencies'),
    devDependencies: names('devDependencies'),
  };
}

export function objectAt(data: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = data[key];
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
