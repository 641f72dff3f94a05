const MAX_PATH_LENGTH = 4096;

/** Why nothing may be mounted or written at this path of a container. Null if it may. */
export function containerPathDefect(path: string): string | null {
  if (!path.startsWith('/')) return 'must be an absolute path';
  if (path.length > MAX_PATH_LENGTH) return 'is too long';
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return 'must not contain ..';
  if (names.length === 0) return 'must not be the root of the container';
  if (['proc', 'sys'].includes(names[0] ?? '')) return 'must not be in /proc or /sys';
  return names[0] === 'dev' && names[1] !== 'shm' ? 'must not be in /dev' : null;
}

/** Removes doubled and trailing slashes and `.` parts, so that each path has one spelling. */
export function normalizedPath(path: string): string {
  return `/${path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')}`;
}
