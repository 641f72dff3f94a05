import { MEBIBYTE, parseByteSize, parseFileMode } from './values/units.js';

export const DEFAULT_TMPFS_BYTES = 64 * MEBIBYTE;
const DEFAULT_MODE = 0o1777;

export interface TmpfsOptions {
  readonly sizeBytes: number | null;
  readonly mode: number;
  readonly uid: number | null;
  readonly gid: number | null;
}

/** Why options are refused. `forbidden` if they are refused on purpose. */
export interface TmpfsProblem {
  readonly problem: string;
  readonly forbidden: boolean;
}

export function tmpfsMode(text: string | undefined): number {
  return text === undefined ? DEFAULT_MODE : (parseFileMode(text) ?? DEFAULT_MODE);
}

/** Reads options such as `size=64m,mode=1777,uid=1000`. nosuid, nodev and noexec always apply and may be given too. */
export function parseTmpfsOptions(text: string): TmpfsOptions | TmpfsProblem {
  const options = {
    sizeBytes: null as number | null,
    mode: DEFAULT_MODE,
    uid: null as number | null,
    gid: null as number | null,
  };
  for (const option of text === '' ? [] : text.split(',')) {
    const [name, value = ''] = option.split('=', 2);
    if (['rw', 'nosuid', 'nodev', 'noexec'].includes(option)) continue;
    const size = name === 'size' ? parseByteSize(value) : null;
    const mode = name === 'mode' ? parseFileMode(value) : null;
    const id = /^\d{1,9}$/.test(value) ? Number(value) : null;
    if (size !== null && size > 0) options.sizeBytes = size;
    else if (mode !== null) options.mode = mode;
    else if ((name === 'uid' || name === 'gid') && id !== null) options[name] = id;
    else if (['size', 'mode', 'uid', 'gid'].includes(name ?? ''))
      return { problem: `The option ${name} cannot be read.`, forbidden: false };
    else return { problem: 'The only options of a tmpfs are size, mode, uid and gid.', forbidden: true };
  }
  return options;
}

/** Every container has a tmpfs here, unless something else is mounted. */
const SHARED_MEMORY = '/dev/shm';

/**
 * The target of the tmpfs that would hide a file at `path` that is written before the container starts. Null if the
 * innermost mount over the path is not a tmpfs.
 */
export function tmpfsOver(
  path: string,
  mounts: readonly { readonly target: string }[],
  tmpfs: readonly { readonly target: string }[],
): string | null {
  const given = [
    ...mounts.map(({ target }) => ({ target, hides: false })),
    ...tmpfs.map(({ target }) => ({ target, hides: true })),
  ];
  const over = [...given, { target: SHARED_MEMORY, hides: true }]
    .filter(({ target }) => `${path}/`.startsWith(`${target}/`))
    .sort((a, b) => b.target.length - a.target.length);
  return over[0]?.hides ? over[0].target : null;
}
