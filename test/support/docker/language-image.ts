import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { engineRequest } from './engine-http.js';

/** The name of the interpreter, such as `python3.11` in Debian 12. */
const pythonOfDebian = () => basename(realpathSync('/usr/bin/python3'));
const APPLETS = ['sh', 'env', 'sleep', 'cat', 'cp', 'ls', 'id', 'wget', 'mkdir', 'printf', 'chmod', 'rm', 'tar'];

/**
 * Imports an image with the Node.js, npm, Python and Caddy of this machine at the paths of the official images, and
 * busybox for the rest (Debian: python3, caddy, busybox-static).
 */
export async function makeLanguageImage(reference: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'test-languages-'));
  try {
    const root = new Root(folder);
    const python = pythonOfDebian();
    root.program(['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path)) ?? '', 'bin/busybox');
    for (const applet of APPLETS) root.link('busybox', `bin/${applet}`);
    root.link('/bin/busybox', 'usr/bin/env');
    root.program(realpathSync(process.execPath), 'usr/local/bin/node');
    root.tree(
      join(dirname(realpathSync(process.execPath)), '../lib/node_modules/npm'),
      'usr/local/lib/node_modules/npm',
    );
    root.link('../lib/node_modules/npm/bin/npm-cli.js', 'usr/local/bin/npm');
    root.program(`/usr/bin/${python}`, `usr/bin/${python}`);
    for (const name of ['python', 'python3']) root.link(`/usr/bin/${python}`, `usr/local/bin/${name}`);
    root.tree(`/usr/lib/${python}`, `usr/lib/${python}`);
    root.program('/usr/bin/caddy', 'usr/bin/caddy');
    root.folder('tmp');
    await imported(folder, reference);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A root file system under construction. */
class Root {
  constructor(private readonly place: string) {}

  folder(path: string): void {
    mkdirSync(join(this.place, path), { recursive: true, mode: path === 'tmp' ? 0o1777 : 0o755 });
  }

  link(target: string, path: string): void {
    this.folder(dirname(path));
    symlinkSync(target, join(this.place, path));
  }

  /** Copies a program with the libraries that it is linked to. */
  program(from: string, path: string): void {
    this.file(from, path);
    for (const library of librariesOf(from)) this.file(realpathSync(library), library.slice(1));
  }

  /** Copies a folder without compiled files and tests. */
  tree(from: string, path: string): void {
    this.folder(path);
    const leftOut = ['--exclude=__pycache__', '--exclude=test', '--exclude=config-*'];
    const packed = execFileSync('tar', ['-C', from, ...leftOut, '-ch', '.'], { maxBuffer: 512 * 1024 * 1024 });
    execFileSync('tar', ['-C', join(this.place, path), '-x'], { input: packed });
  }

  private file(from: string, path: string): void {
    this.folder(dirname(path));
    if (!existsSync(join(this.place, path))) copyFileSync(from, join(this.place, path));
  }
}

/** Empty for a static program, for which ldd fails. */
function librariesOf(program: string): readonly string[] {
  try {
    const told = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...told.matchAll(/(\/\S+\.so\S*)/g)].map(([, path]) => path!);
  } catch {
    return [];
  }
}

async function imported(folder: string, reference: string): Promise<void> {
  const [repo = '', tag = ''] = reference.split(/:(?=[^:/]+$)/);
  const tar = spawn('tar', ['-C', folder, '--numeric-owner', '--owner=0', '--group=0', '-c', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const query = new URLSearchParams({ fromSrc: '-', repo, tag });
  query.append('changes', 'ENV PATH=/usr/local/bin:/usr/bin:/bin');
  const answer = await engineRequest('POST', `/images/create?${query.toString()}`, { body: tar.stdout });
  if (answer.status !== 200 || answer.text.includes('"error"')) throw new Error(`import failed: ${answer.text}`);
}
