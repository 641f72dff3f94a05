const MAX_NAME_LENGTH = 200;

/** Name of a service with restored data, such as `Shop database restored 2026-05-01 08-30-12`. The time is in UTC. */
export function restoredName(source: string, word: 'restored' | 'as of', at: Date): string {
  const suffix = ` ${word} ${at.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}`;
  return `${[...source].slice(0, MAX_NAME_LENGTH - suffix.length).join('')}${suffix}`;
}
