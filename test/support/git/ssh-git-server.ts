import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { TestRepository } from './repository.js';

/** Serves repositories over SSH on the loopback interface, with a separate sshd (Debian: openssh-server). */
export class SshGitServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'test-git-ssh-'));
  #daemon: ChildProcess | undefined;
  #port = 0;

  static async start(): Promise<SshGitServer> {
    const server = new SshGitServer();
    chmodSync(server.folder, 0o755);
    server.#port = await freePort();
    for (const name of ['host', 'other_host', 'deploy', 'other']) server.keyPair(name);
    const shell = `command="git-shell -c \\"$SSH_ORIGINAL_COMMAND\\"",restrict ${server.read('deploy.pub')}`;
    writeFileSync(join(server.folder, 'authorized_keys'), shell);
    const settings = [
      ...[`Port ${server.#port}`, 'ListenAddress 127.0.0.1', `HostKey ${join(server.folder, 'host')}`, 'UsePAM no'],
      ...[`AuthorizedKeysFile ${join(server.folder, 'authorized_keys')}`, 'StrictModes no', 'PermitRootLogin yes'],
      ...[`PidFile ${join(server.folder, 'pid')}`, 'PasswordAuthentication no'],
    ];
    writeFileSync(join(server.folder, 'sshd_config'), `${settings.join('\n')}\n`);
    // Debian's sshd needs this folder for privilege separation. It does not exist after a reboot.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    server.#daemon = spawn('/usr/sbin/sshd', ['-D', '-f', join(server.folder, 'sshd_config')], { stdio: 'ignore' });
    await server.untilListening();
    return server;
  }

  url(name: string): string {
    return `ssh://${userInfo().username}@127.0.0.1:${this.#port}${join(this.folder, name)}`;
  }

  repository(name: string): TestRepository {
    return new TestRepository(join(this.folder, name));
  }

  get deployKey(): string {
    return this.read('deploy');
  }

  get otherKey(): string {
    return this.read('other');
  }

  get knownHosts(): string {
    return `[127.0.0.1]:${this.#port} ${this.read('host.pub')}`;
  }

  get otherKnownHosts(): string {
    return `[127.0.0.1]:${this.#port} ${this.read('other_host.pub')}`;
  }

  /** Stops the server, so that new connections are not answered, until `goOn`. */
  pause(): void {
    this.#daemon?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#daemon?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    const ended = this.#daemon ? once(this.#daemon, 'exit') : null;
    this.goOn();
    this.#daemon?.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private keyPair(name: string): void {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(this.folder, name)]);
  }

  private read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  private async untilListening(): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const socket = connect(this.#port, '127.0.0.1');
      const answers = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (answers) return;
      await sleep(50);
    }
    throw new Error('sshd does not listen');
  }
}
