import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { ClonedRepository, textTree, type RepositoryTree } from '#libs/services';

/** A cloned repository made of texts, for tests of the steps after the clone. */
export class TextRepository extends ClonedRepository {
  readonly commit = 'c'.repeat(40);
  readonly subject = 'By a test';
  readonly #tree: RepositoryTree;

  /** @param links targets of symbolic links, by the paths of the links */
  constructor(
    private readonly files: Readonly<Record<string, string>>,
    private readonly links: Readonly<Record<string, string>> = {},
  ) {
    super();
    this.#tree = textTree(files);
  }

  list(): ReturnType<ClonedRepository['list']> {
    return this.#tree.list();
  }

  read(path: string): Promise<string | null> {
    return this.#tree.read(path);
  }

  archive(folder: string): Readable {
    const tar = pack();
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const [path, text] of Object.entries(this.files))
      if (path.startsWith(prefix)) tar.entry({ name: path.slice(prefix.length) }, text);
    for (const [path, linkname] of Object.entries(this.links))
      if (path.startsWith(prefix)) tar.entry({ name: path.slice(prefix.length), type: 'symlink', linkname });
    tar.finalize();
    return Readable.from(tar, { objectMode: false });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
