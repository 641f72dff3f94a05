export type TreeEntryKind = 'file' | 'executable' | 'symlink' | 'submodule';

export interface TreeEntry {
  /** Relative to the root of the tree, with `/` as separator. */
  readonly path: string;
  readonly kind: TreeEntryKind;
  /** 0 for submodules. */
  readonly bytes: number;
}

/** The files of a commit, or of a folder in it. They are not checked out to a disk. */
export interface RepositoryTree {
  /** All entries except folders, sorted by path. */
  list(): readonly TreeEntry[];
  /** The text of a file. Null if it does not exist, is a link, is binary or is larger than 1 MiB. */
  read(path: string): Promise<string | null>;
}

/** A folder of the tree as a tree of its own. @param folder '' for the whole tree */
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
