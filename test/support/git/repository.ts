import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

export type Files = Readonly<Record<string, string | Buffer | { readonly link: string } | { readonly run: string }>>;

/** A repository with a working copy that a test commits to. */
export class TestRepository {
  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=main');
    // Like common servers, it allows a client to fetch a commit by its id.
    this.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  }

  /** @returns the new commit's id */
  commit(files: Files, message = 'A change'): string {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all', '--force');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...args], { cwd: this.folder, env: ENVIRONMENT, encoding: 'utf8' }).trim();
  }

  /** Writes an object without validation, for objects that git itself would not create. @returns its id */
  object(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
    const args = ['hash-object', '-t', type, '-w', '--stdin', '--literally'];
    const made = spawnSync('git', args, { cwd: this.folder, env: ENVIRONMENT, input: content, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(made.stderr);
    return made.stdout.trim();
  }

  /** Creates a branch with a commit of a handmade tree. @returns the id of the commit */
  branch(name: string, tree: string): string {
    const commit = this.git('commit-tree', tree, '-m', 'By hand');
    this.git('update-ref', `refs/heads/${name}`, commit);
    return commit;
  }

  private write(path: string, content: Files[string]): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(file, content);
    else if ('link' in content) symlinkSync(content.link, file);
    else {
      writeFileSync(file, content.run);
      chmodSync(file, 0o755);
    }
  }
}

/** One entry of a tree object in its stored form. */
export function treeEntry(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
}
