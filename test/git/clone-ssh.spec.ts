import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { inspect } from 'node:util';
import { SecretText } from '#kernel/crypto/secret-text';
import { CloneFailed, parseGitAddress, type CloneRequest } from '#libs/services';
import { CliGitCheckout } from '../../libs/services/src/infrastructure/git/cli-git-checkout.js';
import { GIT_LIMITS } from '../../libs/services/src/infrastructure/git/git-settings.js';
import { SshGitServer } from '../support/git/ssh-git-server.js';
import { ProcessList } from '../support/processes/process-list.js';

let server: SshGitServer;

const describeWithSshd = existsSync('/usr/sbin/sshd') || process.env.CI === 'true' ? describe : describe.skip;
if (!existsSync('/usr/sbin/sshd')) process.stderr.write('skipped without CI=true: /usr/sbin/sshd is not installed\n');

describeWithSshd('a clone by ssh', () => {
  beforeAll(async () => {
    server = await SshGitServer.start();
    server.repository('shop').commit({ 'a.txt': 'by ssh\n' });
  });

  afterAll(() => server.close());

  function requestWith(given: Partial<CloneRequest> = {}, url = server.url('shop')): CloneRequest {
    const parsed = parseGitAddress(url);
    if (!('address' in parsed)) throw new Error(parsed.defect);
    return {
      address: parsed.address,
      ref: { kind: 'branch', name: 'main' },
      deployKey: new SecretText(server.deployKey),
      knownHosts: server.knownHosts,
      ...given,
    };
  }

  const checkout = () =>
    new CliGitCheckout({
      allowedHosts: new Set(['127.0.0.1']),
      caFile: null,
      knownHostsFile: null,
      limits: { ...GIT_LIMITS, wallMs: 20_000 },
    });

  async function problemOf(request: CloneRequest): Promise<string> {
    const error: unknown = await checkout()
      .clone(request)
      .catch((reason: unknown) => reason);
    return error instanceof CloneFailed ? error.problem : `no refusal: ${String(error)}`;
  }

  it('works with the right deploy key and the right host key, and leaves no key behind', async () => {
    const repository = await checkout().clone(requestWith());
    const [folder = ''] = readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${process.pid}-`));
    expect(await repository.read('a.txt')).toBe('by ssh\n');
    expect(readdirSync(`${tmpdir()}/${folder}`)).toEqual(['repository']);
    await repository.close();
    expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false);
  });

  it('takes a key with the line ends of Windows and no newline at its end', async () => {
    const deployKey = new SecretText(server.deployKey.trim().replaceAll('\n', '\r\n'));
    await (await checkout().clone(requestWith({ deployKey }))).close();
  });

  it('refuses a host whose key is not known', async () => {
    expect(await problemOf(requestWith({ knownHosts: null }))).toBe('host_key_unknown');
  });

  it('refuses a host whose key is another one', async () => {
    expect(await problemOf(requestWith({ knownHosts: server.otherKnownHosts }))).toBe('host_key_unknown');
  });

  it('needs the deploy key of that host', async () => {
    expect(await problemOf(requestWith({ deployKey: null }))).toBe('not_found_or_private');
    const deployKey = new SecretText(server.otherKey);
    expect(await problemOf(requestWith({ deployKey }))).toBe('not_found_or_private');
    expect(await problemOf(requestWith({ deployKey: new SecretText('no key at all') }))).toBe('not_found_or_private');
  });

  it('shows its key in no list of processes and in no error', async () => {
    const [, secret = ''] = server.deployKey.split('\n');
    const processes = new ProcessList();
    const repository = await checkout().clone(requestWith());
    const failed = await checkout()
      .clone(requestWith({ deployKey: new SecretText(`${server.deployKey}spoilt`) }, server.url('nothing')))
      .then(
        () => 'no refusal',
        (error: unknown) => inspect(error, { depth: 10 }),
      );
    const seen = processes.end();
    await repository.close();
    // It did look while git and ssh ran.
    expect(seen.some((text) => text.includes('ssh') && text.includes('clone'))).toBe(true);
    expect(secret.length).toBeGreaterThan(20);
    expect(seen.filter((text) => text.includes(secret))).toEqual([]);
    expect(failed).toContain('CloneFailed');
    expect(failed).not.toContain(secret);
  });

  it('says when there is no such repository', async () => {
    expect(await problemOf(requestWith({}, server.url('nothing')))).toBe('not_found_or_private');
  });

  it('leaves nothing behind when it fails', () => {
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${process.pid}-`))).toEqual([]);
  });
});
