const MEBIBYTE = 1024 * 1024;
/** The engine does not enforce the limit, so a service can exceed it before it is measured. */
const TOLERANCE = 1.1;

export type DiskVerdict = 'within' | 'above' | 'far above';

/** Compares the use with the limit. `above` raises an alarm, `far above` (more than 110 %) stops the service. */
export function judgeDisk(usedBytes: number, limitMb: number): DiskVerdict {
  const limitBytes = limitMb * MEBIBYTE;
  if (usedBytes <= limitBytes) return 'within';
  return usedBytes <= limitBytes * TOLERANCE ? 'above' : 'far above';
}

/** A text for users. Used space is rounded up to whole mebibytes. */
export function diskUse(usedBytes: number, limitMb: number): string {
  return `The service uses ${Math.ceil(usedBytes / MEBIBYTE)} MB of ${limitMb} MB of disk`;
}
