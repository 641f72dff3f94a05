export type TreeEntryKind = 'file' | 'executable' | 'symlink' | 'submodule';

export interface TreeEntry {
  /** From the root of the tree, with `/` between its parts. */
  readonly path: string;
  readonly kind: TreeEntryKind;
  /** 0 for what has no content of its own. */
  readonly bytes: number;
}

/** The files of one commit, or of a folder in it. Nothing of it lies on a disk. */
export interface RepositoryTree {
  /** Every entry that is no folder, sorted by path. */
  list(): readonly TreeEntry[];
  /** The text of a file; null when there is none, or it is a link, binary or larger than 1 MiB. */
  read(path: string): Promise<string | null>;
}

/** What a folder of the tree holds, as if it were the root. @param folder '' for the whole */
export function subtree(tree: RepositoryTree, folder: string): RepositoryTree {
  if (folder === '') return tree;
  const prefix = `${folder}/`;
  const entries = tree.list().flatMap((entry) => {
    return entry.path.startsWith(prefix) ? [{ ...entry, path: entry.path.slice(prefix.length) }] : [];
  });
  return { list: () => entries, read: (path) => tree.read(prefix + path) };
}

/** A tree of texts in memory. */
export function textTree(files: Readonly<Record<string, string>>): RepositoryTree {
  const entries = Object.entries(files).map(([path, text]) => ({ path, kind: 'file' as const, bytes: text.length }));
  const sorted = entries.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { list: () => sorted, read: (path) => Promise.resolve(files[path] ?? null) };
}
