import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { PATIENCE } from '../../tools/lib/tests/patience.mjs';
import { nixpacksOf } from '../../libs/services/src/infrastructure/git/building-env.js';
import { makeNixpacksStandIn, nixpacksDefect, type NixpacksStandIn } from '../support/git/nixpacks-stand-in.js';
import { TextRepository } from '../support/git/text-repository.js';

const PACKAGE = { 'package.json': '{}' };

const describeNixpacks = nixpacksDefect() === null ? describe : describe.skip;

describeNixpacks('nixpacks', () => {
  let installed: NixpacksStandIn;

  beforeAll(() => {
    installed = makeNixpacksStandIn('registry.example.com/base:1');
  });

  afterAll(() => installed.remove());

  function plan(
    files: Readonly<Record<string, string>>,
    given: { variables?: Record<string, string>; links?: Record<string, string>; folder?: string; path?: string } = {},
    signal?: AbortSignal,
  ) {
    const { variables = {}, links, folder = '', path = installed.searchPath } = given;
    const repository = new TextRepository(files, links);
    return nixpacksOf({ NIXPACKS_PATH: path }).plan(
      { repository, folder, variables: new Map(Object.entries(variables)) },
      signal,
    );
  }

  const workFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${process.pid}-`));

  /** What the commands of a repository find out where nixpacks runs. */
  async function probed(commands: string, links?: Record<string, string>): Promise<string> {
    const { files } = await plan({ ...PACKAGE, 'probe.sh': commands }, { links });
    return files.get('.nixpacks/assets/probe') ?? 'no probe';
  }

  it('plans a folder: a Dockerfile, the files that it needs, and the values of its arguments', async () => {
    const made = await plan({ 'web/package.json': '{}' }, { folder: 'web', variables: { GREETING: 'hello you' } });
    expect(made.dockerfile.path).toBe('.nixpacks/Dockerfile');
    expect(made.dockerfile.text).toMatch(/^FROM registry\.example\.com\/base:1\n[\s\S]*\nARG CI GREETING\n/);
    expect([...made.files.keys()]).toEqual(['.nixpacks/nixpkgs-test.nix']);
    expect(Object.fromEntries(made.variables)).toEqual({ CI: 'true', GREETING: 'hello you' });
    expect(workFolders()).toEqual([]);
  });

  it('says what nixpacks said when it fails, and leaves nothing', async () => {
    await expect(plan({ 'README.md': 'x' })).rejects.toThrow(
      'nixpacks failed: Nixpacks was unable to generate a build plan for this app.',
    );
    await expect(plan(PACKAGE, { path: '/nowhere' })).rejects.toThrow(/not installed where this worker runs/);
    expect(workFolders()).toEqual([]);
  });

  it('sees no variable, no other process, no network and no file of this machine', async () => {
    const server: Server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    process.env.NIXPACKS_CANARY = 'canary';
    const said = await probed(
      [
        'env | cut -d= -f1 | sort | tr "\\n" " "; echo',
        'ls /proc | grep -c "^[0-9]"',
        `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2> /dev/null && echo reached || echo closed`,
        `ls ${process.cwd()} /etc /root /var /home 2>&1 | grep -vc "No such file"`,
      ].join('\n'),
    );
    delete process.env.NIXPACKS_CANARY;
    server.close();
    const [variables, processes, network, visible] = said.trim().split('\n');
    expect(variables?.trim()).toBe('HOME PATH PWD');
    expect(Number(processes)).toBeLessThan(8);
    expect([network, visible]).toEqual(['closed', '0']);
  });

  it('writes only where its result is, and follows no link of a repository', async () => {
    const outside = `${tmpdir()}/test-nixpacks-escaped-${process.pid}`;
    const said = await probed(
      [
        `for place in ${outside} /usr/bin/evil /source/evil /nixpacks; do echo x > $place && echo wrote; done 2>/dev/null`,
        'mkdir -p /out/.nixpacks/assets/../../../tmp; ls -A /source',
      ].join('\n'),
      { leak: '/etc/passwd', folder: '/etc' },
    );
    expect(existsSync(outside)).toBe(false);
    expect(existsSync('/usr/bin/evil')).toBe(false);
    // What it wrote to its own /tmp is gone with it.
    expect(said.trim().split('\n')).toEqual(['wrote', 'package.json', 'probe.sh']);
  });

  it('hands over no link as a result', async () => {
    const said = await plan({ ...PACKAGE, 'probe.sh': 'ln -s /etc/passwd /out/.nixpacks/leak; echo linked' });
    expect([...said.files.keys()].sort()).toEqual(['.nixpacks/assets/probe', '.nixpacks/nixpkgs-test.nix']);
  });

  it('is ended when the deployment is, and takes at most the memory and disk that it may', async () => {
    const cancelled = new AbortController();
    const waiting = plan({ ...PACKAGE, 'probe.sh': 'sleep 77' }, {}, cancelled.signal);
    setTimeout(() => cancelled.abort(new Error('cancelled')), 1_000);
    const since = Date.now();
    await expect(waiting).rejects.toThrow('cancelled');
    expect(Date.now() - since).toBeLessThan(2_500 * PATIENCE);
    expect(workFolders()).toEqual([]);
    expect(await probed('head -c 40000000 /dev/zero > /out/big; wc -c < /out/big')).toMatch(/16777216/);
    expect(await probed('head -c 3000000000 /dev/zero | tail -c 2900000000 > /dev/null; echo $?')).toMatch(
      /[1-9]\d*\n$/,
    );
  });
});
