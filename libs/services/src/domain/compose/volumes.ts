import type { TmpfsMount, VolumeMount } from '../service-plan.js';
import type { ComposeMount, ComposeService } from './compose-file.js';
import { containerPathDefect, normalizedPath } from './values/container-path.js';
import type { Place } from './place.js';
import { readBytes, readList, readTruth } from './readers.js';
import { DEFAULT_TMPFS_BYTES, parseTmpfsOptions, tmpfsMode } from './tmpfs.js';

const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;
const BIND = 'Host paths cannot be mounted. Use a named volume.';

export interface Mounts {
  readonly mounts: readonly VolumeMount[];
  readonly tmpfs: readonly TmpfsMount[];
  /** The sum of the sizes given for tmpfs. A tmpfs without a size counts as 0. */
  readonly askedTmpfsBytes: number;
}

type Tmpfs = Omit<TmpfsMount, 'sizeBytes'> & { readonly sizeBytes: number | null };

/** @param engineNameOf returns the volume's name on the engine, or null if the file does not declare it */
export function readMounts(
  service: ComposeService,
  engineNameOf: (key: string) => string | null,
  place: Place,
): Mounts {
  const mounts: VolumeMount[] = [];
  const tmpfs: Tmpfs[] = [];
  const targets = new Set<string>();
  const placed = <T extends { target: string }>(mount: T | undefined, at: Place, into: T[]): void => {
    if (mount === undefined) return;
    const defect = containerPathDefect(mount.target);
    if (defect !== null) at.refuse(`The target ${defect}.`);
    else if (targets.has(mount.target)) at.refuse('Something else is mounted at this target.');
    targets.add(mount.target);
    into.push(mount);
  };
  for (const { item, place: at } of readList<string | ComposeMount>(service.volumes, place.at('volumes'))) {
    if (typeof item === 'string') placed(shortVolume(item, engineNameOf, at), at, mounts);
    else if (item.type === 'tmpfs') placed(longTmpfs(item, at), at, tmpfs);
    else placed(longVolume(item, engineNameOf, at), at, mounts);
  }
  for (const { item, place: at } of readList<string>(service.tmpfs, place.at('tmpfs')))
    placed(shortTmpfs(item, at), at, tmpfs);
  return {
    mounts,
    tmpfs: tmpfs.map((mount) => ({ ...mount, sizeBytes: mount.sizeBytes ?? DEFAULT_TMPFS_BYTES })),
    askedTmpfsBytes: tmpfs.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
  };
}

function shortVolume(
  text: string,
  engineNameOf: (key: string) => string | null,
  place: Place,
): VolumeMount | undefined {
  const [source = '', target, options = '', ...rest] = text.split(':');
  if (target === undefined)
    return source.startsWith('/')
      ? place.forbid('Anonymous volumes are not supported: name the volume.')
      : place.refuse('Write name:/path.');
  if (!VOLUME_NAME.test(source) || /^[A-Za-z]$/.test(source)) return place.forbid(BIND);
  if (rest.length > 0) return place.refuse('Write name:/path or name:/path:ro.');
  const flags = options === '' ? [] : options.split(',');
  if (flags.some((flag) => !['ro', 'rw', 'nocopy'].includes(flag)))
    return place.refuse('The only options of a volume are ro, rw and nocopy.', 'unsupported_key');
  return mountOf(source, target, flags.includes('ro'), flags.includes('nocopy'), engineNameOf, place);
}

function longVolume(
  mount: ComposeMount,
  engineNameOf: (key: string) => string | null,
  place: Place,
): VolumeMount | undefined {
  if (mount.type === undefined) return undefined;
  if (mount.type !== 'volume') return place.at('type').forbid('Only named volumes and tmpfs can be mounted.');
  if (mount.source === undefined) return place.forbid('Anonymous volumes are not supported: name the volume.');
  if (mount.tmpfs !== undefined) place.at('tmpfs').refuse('These options are for the type tmpfs.');
  if (!VOLUME_NAME.test(mount.source)) return place.at('source').forbid(BIND);
  const noCopy = readTruth(mount.volume?.nocopy);
  return mountOf(mount.source, mount.target ?? '', readTruth(mount.read_only), noCopy, engineNameOf, place);
}

function mountOf(
  key: string,
  target: string,
  readOnly: boolean,
  noCopy: boolean,
  engineNameOf: (key: string) => string | null,
  place: Place,
): VolumeMount | undefined {
  const volume = engineNameOf(key);
  if (volume === null) return place.refuse(`The volume ${key} is not declared under volumes.`);
  return { volume, target: target.startsWith('/') ? normalizedPath(target) : target, readOnly, noCopy };
}

function longTmpfs(mount: ComposeMount, place: Place): Tmpfs | undefined {
  if (mount.target === undefined) return undefined;
  if (mount.source !== undefined) place.at('source').refuse('A tmpfs has no source.');
  if (mount.volume !== undefined) place.at('volume').refuse('These options are for the type volume.');
  if (mount.read_only !== undefined) place.at('read_only').refuse('A tmpfs cannot be read-only.');
  const sizeBytes = readBytes(mount.tmpfs?.size);
  if (sizeBytes === null) warnDefaultSize(place);
  else if (sizeBytes === 0) place.at('tmpfs', 'size').refuse('A size of 0 would mean no limit.');
  const mode = tmpfsMode(mount.tmpfs?.mode);
  return {
    target: normalizedPath(mount.target),
    sizeBytes,
    mode,
    uid: null,
    gid: null,
  };
}

function shortTmpfs(text: string, place: Place): Tmpfs | undefined {
  const [target = '', options = '', ...rest] = text.split(':');
  if (rest.length > 0 || !target.startsWith('/')) return place.refuse('Write /path or /path:size=64m,mode=1777.');
  const read = parseTmpfsOptions(options);
  if ('problem' in read) return read.forbidden ? place.forbid(read.problem) : place.refuse(read.problem);
  if (read.sizeBytes === null) warnDefaultSize(place);
  return { ...read, target: normalizedPath(target) };
}

function warnDefaultSize(place: Place): void {
  place.warn('tmpfs_size_default', 'A tmpfs without a size holds at most 64 MiB.');
}
