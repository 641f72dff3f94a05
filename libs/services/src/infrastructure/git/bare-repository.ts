import { Readable } from 'node:stream';
import { ClonedRepository, CloneFailed } from '../../application/ports/git/git-checkout.js';
import type { TreeEntry, TreeEntryKind } from '../../domain/detection/repository-tree.js';
import { runGit, streamGit, type GitCall } from './git-process.js';

const MAX_TEXT_BYTES = 1024 * 1024;
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';
const LFS_POINTER_BYTES = 200;

interface StoredEntry extends TreeEntry {
  readonly id: string;
}

/** A clone without a working tree. Files are read from its objects, so symbolic links are never followed. */
export class BareRepository extends ClonedRepository {
  private constructor(
    private readonly folder: string,
    private readonly call: GitCall,
    readonly commit: string,
    readonly subject: string,
    private readonly entries: ReadonlyMap<string, StoredEntry>,
    private readonly remove: () => Promise<void>,
  ) {
    super();
  }

  /** @throws CloneFailed when the tree is too large, or kept in Git LFS */
  static async open(folder: string, call: GitCall, remove: () => Promise<void>): Promise<BareRepository> {
    const [about, entries] = await Promise.all([
      runGit(at(folder, 'log', '-1', '--format=%H%n%s', 'HEAD'), call),
      readTree(folder, call),
    ]);
    const [commit = '', subject = ''] = about.split('\n');
    // Longer output is cut off at once.
    const opened = new BareRepository(folder, call, commit, subject.slice(0, 200), entries, remove);
    await opened.refuseLfs();
    return opened;
  }

  list(): readonly TreeEntry[] {
    return [...this.entries.values()];
  }

  async read(path: string): Promise<string | null> {
    const entry = this.entries.get(path);
    if (!entry || (entry.kind !== 'file' && entry.kind !== 'executable') || entry.bytes > MAX_TEXT_BYTES) return null;
    const text = await runGit(at(this.folder, 'cat-file', 'blob', entry.id), withoutSignal(this.call));
    return text.includes('\0') ? null : text;
  }

  archive(folder: string, signal?: AbortSignal): Readable {
    const tree = folder === '' ? 'HEAD' : `HEAD:${folder}`;
    const call = { ...withoutSignal(this.call), ...(signal ? { signal } : {}) };
    return Readable.from(streamGit(at(this.folder, 'archive', '--format=tar', tree), call), { objectMode: false });
  }

  close(): Promise<void> {
    return this.remove();
  }

  /** Otherwise the pointer would be built in place of the file that it stands for. */
  private async refuseLfs(): Promise<void> {
    const attributes = this.list().filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
    let usesLfs = false;
    for (const { path } of attributes.slice(0, 20)) usesLfs ||= ((await this.read(path)) ?? '').includes('filter=lfs');
    if (!usesLfs) return;
    const small = this.list().filter(
      ({ kind, bytes }) => kind !== 'symlink' && bytes > 100 && bytes < LFS_POINTER_BYTES,
    );
    for (const { path } of small.slice(0, 500)) {
      if (!(await this.read(path))?.startsWith(LFS_POINTER)) continue;
      throw new CloneFailed('lfs_unsupported', `lfs_unsupported: ${path} is stored in Git LFS, which is not fetched.`);
    }
  }
}

async function readTree(folder: string, call: GitCall): Promise<ReadonlyMap<string, StoredEntry>> {
  const { entries: maxEntries, treeBytes } = call.limits;
  const entries = new Map<string, StoredEntry>();
  let bytes = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of streamGit(at(folder, 'ls-tree', '-r', '-l', '-z', 'HEAD'), call)) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const entry = entryOf(rest.subarray(0, end).toString('utf8'));
      rest = rest.subarray(end + 1);
      entries.set(entry.path, entry);
      bytes += entry.bytes;
      if (entries.size > maxEntries)
        throw new CloneFailed('too_many_files', `The repository has more than ${maxEntries} files.`);
      if (bytes > treeBytes) throw new CloneFailed('too_large', 'The files of the repository are too large.');
    }
  }
  return entries;
}

const KINDS: Readonly<Record<string, TreeEntryKind>> = {
  '120000': 'symlink',
  '160000': 'submodule',
  '100755': 'executable',
};

/** `100644 blob <id>    1234\tpath`; a submodule's size is `-`. */
function entryOf(line: string): StoredEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/\s+/);
  return { path: line.slice(tab + 1), id, kind: KINDS[mode] ?? 'file', bytes: Number(size) || 0 };
}

export function at(folder: string, ...args: readonly string[]): readonly string[] {
  return ['-c', 'safe.directory=*', '-c', 'core.hooksPath=/dev/null', `--git-dir=${folder}`, ...args];
}

/** The signal of the clone applies to the clone only. Later reads have their own. */
function withoutSignal({ environment, limits }: GitCall): GitCall {
  return { ...(environment ? { environment } : {}), limits };
}
