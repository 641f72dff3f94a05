const MEBIBYTE = 1024 * 1024;
/** The engine does not enforce the limit, so that a service is over it before anybody can know. */
const TOLERATED = 1.1;

export type DiskVerdict = 'within' | 'above' | 'far above';

/** What a service uses of its limit: `above` is alarmed, `far above` (more than 110 %) stops the service. */
export function judgeDisk(usedBytes: number, limitMb: number): DiskVerdict {
  const limitBytes = limitMb * MEBIBYTE;
  if (usedBytes <= limitBytes) return 'within';
  return usedBytes <= limitBytes * TOLERATED ? 'above' : 'far above';
}

/** In words that may be shown. */
export function diskUse(usedBytes: number, limitMb: number): string {
  return `The service uses ${Math.ceil(usedBytes / MEBIBYTE)} MB of ${limitMb} MB of disk`;
}
