import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extract } from 'tar-stream';
import { CloneFailed, parseGitAddress, parseGitRef, type ClonedRepository } from '#libs/services';
import { PATIENCE } from '../../tools/lib/tests/patience.mjs';
import { CliGitCheckout } from '../../libs/services/src/infrastructure/git/cli-git-checkout.js';
import { GIT_LIMITS, type GitLimits } from '../../libs/services/src/infrastructure/git/git-settings.js';
import { GitServer } from '../support/git/git-server.js';
import { treeEntry } from '../support/git/repository.js';
import { addZeros } from '../support/git/zeros-pack.js';

let server: GitServer;
const opened: ClonedRepository[] = [];

function checkout(limits: Partial<GitLimits> = {}, allowed: readonly string[] = [server.host]): CliGitCheckout {
  return new CliGitCheckout({
    allowedHosts: new Set(allowed),
    caFile: server.caFile,
    knownHostsFile: null,
    limits: { ...GIT_LIMITS, silenceSeconds: 1, ...limits },
  });
}

function requestFor(url: string, ref = 'main') {
  const parsed = parseGitAddress(url);
  if (!('address' in parsed)) throw new Error(parsed.defect);
  return { address: parsed.address, ref: parseGitRef(ref)!, deployKey: null, knownHosts: null };
}

async function clone(name: string, ref = 'main', limits: Partial<GitLimits> = {}): Promise<ClonedRepository> {
  const repository = await checkout(limits).clone(requestFor(server.url(name), ref));
  opened.push(repository);
  return repository;
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CloneFailed)) throw new Error(`no refusal: ${String(error)}`);
  return error.problem;
}

async function tarOf(repository: ClonedRepository, folder = ''): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const reader = extract();
  repository.archive(folder).pipe(reader);
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const { name, type, linkname } = entry.header;
    files[name] = type === 'symlink' ? `-> ${linkname}` : Buffer.concat(chunks).toString();
  }
  return files;
}

const workFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${process.pid}-`));

beforeAll(async () => {
  server = await GitServer.start();
  server.repository('plain').commit({ 'a.txt': 'a' });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((repository) => repository.close()));
  expect(workFolders()).toEqual([]);
});

afterAll(() => server.close());

describe('a clone', () => {
  it('holds the files of the branch, and nothing is checked out', async () => {
    const source = server.repository('shop');
    const commit = source.commit({
      'a.txt': 'one\n',
      'deep/b.sh': { run: '#!/bin/sh\n' },
      link: { link: '/etc/passwd' },
    });
    const repository = await clone('shop');
    expect(repository.commit).toBe(commit);
    expect(repository.subject).toBe('A change');
    expect(repository.list()).toMatchObject([
      { path: 'a.txt', kind: 'file', bytes: 4 },
      { path: 'deep/b.sh', kind: 'executable', bytes: 10 },
      { path: 'link', kind: 'symlink' },
    ]);
    expect(await repository.read('a.txt')).toBe('one\n');
    expect(await repository.read('link')).toBeNull();
    expect(await repository.read('missing')).toBeNull();
    await repository.close();
    await repository.close();
  });

  it('takes a tag, a branch with a slash and a single commit', async () => {
    const source = server.repository('refs');
    const first = source.commit({ 'a.txt': '1' });
    source.git('tag', '-a', 'v1', '-m', 'first');
    const second = source.commit({ 'a.txt': '2' });
    source.git('branch', 'feature/x');
    source.commit({ 'a.txt': '3' });
    expect((await clone('refs', 'v1')).commit).toBe(first);
    expect((await clone('refs', 'feature/x')).commit).toBe(second);
    expect((await clone('refs', first)).commit).toBe(first);
    expect(await checkout().resolve(requestFor(server.url('refs'), 'v1'))).toBe(first);
    expect(await checkout().resolve(requestFor(server.url('refs'), 'feature/x'))).toBe(second);
    expect(await checkout().defaultBranch(requestFor(server.url('refs')))).toMatchObject({ name: 'main' });
    source.git('symbolic-ref', 'HEAD', 'refs/heads/feature/x');
    expect((await checkout().defaultBranch(requestFor(server.url('refs')))).name).toBe('feature/x');
    source.git('symbolic-ref', 'HEAD', 'refs/heads/none-yet');
    expect(await problemOf(checkout().defaultBranch(requestFor(server.url('refs'))))).toBe('ref_not_found');
  });

  it('gives every file byte by byte, whatever .gitattributes says', async () => {
    const source = server.repository('attributes');
    const files = { 'secret.txt': 'kept\n', 'id.txt': '$Format:%H$ $Id$\r\n', 'app/x.txt': 'x\r\n' };
    source.commit({
      ...files,
      '.gitattributes': 'secret.txt export-ignore\nid.txt export-subst ident\n*.txt -text\napp/x.txt eol=crlf\n',
    });
    const repository = await clone('attributes');
    expect(await tarOf(repository)).toMatchObject(files);
    expect(await tarOf(repository, 'app')).toMatchObject({ 'x.txt': 'x\r\n' });
  });

  it('needs no more than one look for many at once', async () => {
    server.repository('many').commit({ 'a.txt': '1' });
    await Promise.all(Array.from({ length: 4 }, () => clone('many')));
  });
});

describe('what is refused', () => {
  it.each([
    ['a branch that is not there', 'plain', 'nowhere', 'ref_not_found'],
    ['a commit that is not there', 'plain', 'f'.repeat(40), 'ref_not_found'],
    ['a repository that is not there', 'missing', 'main', 'not_found_or_private'],
    ['a redirect', 'redirect/plain', 'main', 'failed'],
    ['a host that drips', 'slow/plain', 'main', 'too_slow'],
    ['a host that is silent', 'hang/plain', 'main', 'too_slow'],
  ])('%s', async (_, name, ref, problem) => {
    expect(await problemOf(clone(name, ref))).toBe(problem);
  });

  it('a redirect is not followed', async () => {
    server.requests.length = 0;
    await problemOf(clone('redirect/plain'));
    expect(server.requests.every((request) => request.includes('/redirect/'))).toBe(true);
  });

  it('a host that never ends', async () => {
    expect(await problemOf(clone('endless/plain', 'main', { wallMs: 1_500 }))).toMatch(/too_slow|failed|damaged/);
  });

  it('a private address, however it is written, unless it is allowed', async () => {
    server.requests.length = 0;
    const strict = checkout({}, []);
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '169.254.169.254',
    ])
      expect(await problemOf(strict.clone(requestFor(`https://${host}:${server.port}/plain`)))).toBe('host_refused');
    expect(await problemOf(strict.clone(requestFor('git@10.0.0.1:a/b')))).toBe('host_refused');
    expect(server.requests).toEqual([]);
  });

  it('a name that leads to a private address, also as one of several', async () => {
    const settings = { allowedHosts: new Set<string>(), caFile: null, knownHostsFile: null, limits: GIT_LIMITS };
    const mixed = new CliGitCheckout(settings, () =>
      Promise.resolve([{ address: '93.184.216.34' }, { address: '10.1.1.1' }]),
    );
    expect(await problemOf(mixed.clone(requestFor('https://git.example.com/a/b')))).toBe('host_refused');
  });

  it('goes where the name led when it was checked', async () => {
    server.repository('pinned').commit({ 'a.txt': 'a' });
    const settings = {
      allowedHosts: new Set([`git.test:${server.port}`]),
      caFile: server.caFile,
      knownHostsFile: null,
      limits: GIT_LIMITS,
    };
    const pinned = new CliGitCheckout(settings, () => Promise.resolve([{ address: '127.0.0.1' }]));
    const repository = await pinned.clone(requestFor(`https://git.test:${server.port}/pinned`));
    opened.push(repository);
    expect(await repository.read('a.txt')).toBe('a');
  });

  it('a certificate of somebody else', async () => {
    const settings = { allowedHosts: new Set([server.host]), caFile: null, knownHostsFile: null, limits: GIT_LIMITS };
    expect(await problemOf(new CliGitCheckout(settings).clone(requestFor(server.url('plain'))))).toBe(
      'host_unreachable',
    );
  });
});

describe('bombs', () => {
  it('a pack that is too large', async () => {
    server.repository('large').commit({ 'a.bin': randomBytes(6_000_000) });
    expect(await problemOf(clone('large', 'main', { packBytes: 1_000_000 }))).toBe('too_large');
  });

  it('a file of more than two gigabytes that is small only while it is packed', async () => {
    const source = server.repository('zeros');
    addZeros(source, 'zeros', 2_049);
    expect(await problemOf(clone('zeros', 'zeros'))).toBe('too_large');
  }, 60_000);

  it('a tree of ten thousand million files', async () => {
    const source = server.repository('bomb');
    source.commit({ 'a.txt': 'a' });
    let id = source.object('blob', Buffer.from('x'));
    for (let depth = 0; depth < 10; depth += 1) {
      const mode = depth === 0 ? '100644' : '40000';
      id = source.object('tree', Buffer.concat([...'0123456789'].map((name) => treeEntry(mode, name, id))));
    }
    source.branch('bomb', id);
    const since = Date.now();
    expect(await problemOf(clone('bomb', 'bomb'))).toBe('too_many_files');
    expect(Date.now() - since).toBeLessThan(10_000 * PATIENCE);
  });

  it('a folder of a million files', async () => {
    const source = server.repository('crowded');
    source.commit({ 'a.txt': 'a' });
    const blob = source.object('blob', Buffer.from('x'));
    const names = Array.from({ length: 1_000_000 }, (_, place) => String(place).padStart(6, '0'));
    source.branch(
      'crowded',
      source.object('tree', Buffer.concat(names.map((name) => treeEntry('100644', name, blob)))),
    );
    expect(await problemOf(clone('crowded', 'crowded'))).toBe('too_many_files');
  }, 30_000);

  it('a million files in a thousand folders of one shape', async () => {
    const source = server.repository('nested');
    source.commit({ 'a.txt': 'a' });
    let id = source.object('blob', Buffer.from('x'));
    for (const mode of ['100644', '40000']) {
      const names = Array.from({ length: 1_000 }, (_, place) => String(place).padStart(4, '0'));
      id = source.object('tree', Buffer.concat(names.map((name) => treeEntry(mode, name, id))));
    }
    source.branch('nested', id);
    expect(await problemOf(clone('nested', 'nested'))).toBe('too_many_files');
  });

  it('a link and a folder of one name, which leads files of the folder elsewhere', async () => {
    const source = server.repository('twofold');
    source.commit({ 'a.txt': 'a' });
    const link = source.object('blob', Buffer.from('/tmp'));
    const folder = source.object('tree', treeEntry('100644', 'planted', link));
    const both = Buffer.concat([treeEntry('120000', 'a', link), treeEntry('40000', 'a', folder)]);
    source.branch('bad', source.object('tree', both));
    expect(await problemOf(clone('twofold', 'bad'))).toBe('damaged');
  });

  it.each(['..', '.', '../up', 'a/b'])('an entry named %s', async (name) => {
    const source = server.repository(`odd-${Buffer.from(name).toString('hex')}`);
    source.commit({ 'a.txt': 'a' });
    const blob = source.object('blob', Buffer.from('x'));
    source.branch('bad', source.object('tree', treeEntry('100644', name, blob)));
    const folder = source.folder.split('/').at(-1)!;
    expect(await problemOf(clone(folder, 'bad'))).toBe('damaged');
  });

  it('an entry named .git', async () => {
    const source = server.repository('dotgit');
    source.commit({ 'a.txt': 'a' });
    const blob = source.object('blob', Buffer.from('[core]\n'));
    const inner = source.object('tree', treeEntry('100644', 'config', blob));
    source.branch('bad', source.object('tree', treeEntry('40000', '.git', inner)));
    expect(await problemOf(clone('dotgit', 'bad'))).toBe('damaged');
  });

  it('a pointer of Git LFS', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    server
      .repository('lfs')
      .commit({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'a.bin': pointer });
    expect(await problemOf(clone('lfs'))).toBe('lfs_unsupported');
  });
});

it('ends within a second when it is given up', async () => {
  const gone = new AbortController();
  const work = checkout({ silenceSeconds: 20 }).clone(requestFor(server.url('hang/plain')), gone.signal);
  setTimeout(() => gone.abort(new Error('given up')), 300);
  const since = Date.now();
  await expect(work).rejects.toThrow('given up');
  expect(Date.now() - since).toBeLessThan(1_300 * PATIENCE);
});
