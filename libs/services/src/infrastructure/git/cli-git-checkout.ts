import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import {
  CloneFailed,
  GitCheckout,
  type BranchTip,
  type ClonedRepository,
  type CloneRequest,
} from '../../application/ports/git/git-checkout.js';
import { isBranchName } from '../../domain/git/git-ref.js';
import { at, BareRepository } from './bare-repository.js';
import { problemOf } from './clone-problems.js';
import { GitEnded, runGit, type GitCall } from './git-process.js';
import type { GitSettings } from './git-settings.js';
import { addressesOf, type Resolve } from './host-addresses.js';
import { sshCommand } from './ssh-command.js';
import { makeWorkFolder } from './work-folders.js';

/** Files are read byte for byte: these attributes of a repository must not change them. */
const ATTRIBUTES = '* -export-ignore -export-subst -filter -ident -text -eol -working-tree-encoding\n';

const FLAGS = {
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'core.hooksPath': '/dev/null',
  'transfer.fsckObjects': 'true',
  'transfer.credentialsInUrl': 'die',
  'transfer.bundleURI': 'false',
  'credential.helper': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.unpackLimit': '1',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'core.bigFileThreshold': '1m',
};

/** The address that git connects to, and the credentials. */
interface Prepared {
  readonly folder: string;
  readonly call: GitCall;
  readonly remote: string;
  readonly flags: readonly string[];
}

/** Clones with the installed git. docs/git.md says what each of these settings protects from. */
export class CliGitCheckout extends GitCheckout {
  constructor(
    private readonly settings: GitSettings,
    private readonly resolveHost?: Resolve,
  ) {
    super();
  }

  async clone(request: CloneRequest, signal?: AbortSignal): Promise<ClonedRepository> {
    return this.within(request, signal, async ({ folder, call, remote, flags }, keep) => {
      const repository = join(folder, 'repository');
      if (request.ref.kind === 'branch') {
        const options = ['--bare', '--template=', '--depth=1', '--single-branch', '--no-tags', '--quiet'];
        await runGit([...flags, 'clone', ...options, `--branch=${request.ref.name}`, '--', remote, repository], call);
      } else {
        await runGit([...flags, 'init', '--quiet', '--bare', '--template=', repository], call);
        const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', '--', remote, request.ref.sha];
        await runGit([...flags, ...at(repository, ...fetch)], call);
        await runGit(at(repository, 'update-ref', '--no-deref', 'HEAD', 'FETCH_HEAD'), call);
      }
      await forgetCredentials(folder);
      await mkdir(join(repository, 'info'), { recursive: true });
      await writeFile(join(repository, 'info', 'attributes'), ATTRIBUTES);
      const remove = () => rm(folder, { recursive: true, force: true });
      const opened = await BareRepository.open(repository, call, remove);
      keep();
      return opened;
    });
  }

  async resolve(request: CloneRequest, signal?: AbortSignal): Promise<string> {
    if (request.ref.kind === 'commit') return request.ref.sha;
    const { name } = request.ref;
    return this.within(request, signal, async ({ call, remote, flags }) => {
      const wanted = [`refs/heads/${name}`, `refs/tags/${name}^{}`, `refs/tags/${name}`];
      const answer = await runGit([...flags, 'ls-remote', '--', remote, ...wanted], call);
      const found = new Map(answer.split('\n').map((line) => line.split('\t').reverse() as [string, string]));
      const commit = wanted.map((ref) => found.get(ref)).find((sha) => sha !== undefined);
      if (commit === undefined) throw new CloneFailed('ref_not_found', `The repository has no branch or tag ${name}.`);
      return commit;
    });
  }

  async defaultBranch(request: Omit<CloneRequest, 'ref'>, signal?: AbortSignal): Promise<BranchTip> {
    const ref = { kind: 'branch', name: 'HEAD' } as const;
    return this.within({ ...request, ref }, signal, async ({ call, remote, flags }) => {
      const answer = await runGit([...flags, 'ls-remote', '--symref', '--', remote, 'HEAD'], call);
      const name = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1];
      const commit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(answer)?.[1];
      if (name === undefined || commit === undefined || !isBranchName(name))
        throw new CloneFailed('ref_not_found', 'The repository names no default branch.');
      return { name, commit };
    });
  }

  /** Runs `work` in a new folder, which is removed afterwards unless `work` keeps it. */
  private async within<T>(
    request: CloneRequest,
    signal: AbortSignal | undefined,
    work: (prepared: Prepared, keep: () => void) => Promise<T>,
  ): Promise<T> {
    const { limits, allowedHosts } = this.settings;
    const late = AbortSignal.timeout(limits.wallMs);
    const ends = signal ? AbortSignal.any([signal, late]) : late;
    const ips = await addressesOf(request.address, allowedHosts, this.resolveHost);
    const folder = await makeWorkFolder();
    let isKept = false;
    try {
      const prepared = await this.prepare(request, ips, folder, ends);
      return await work(prepared, () => {
        isKept = true;
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted)
        throw new CloneFailed('too_slow', `The clone took longer than ${limits.wallMs / 1000} s.`, { cause: error });
      throw error instanceof GitEnded ? problemOf(error, request) : error;
    } finally {
      if (!isKept) await rm(folder, { recursive: true, force: true });
    }
  }

  private async prepare(
    request: CloneRequest,
    ips: readonly string[],
    folder: string,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const { address } = request;
    const { limits } = this.settings;
    const flags = { ...FLAGS, 'http.lowSpeedTime': String(limits.silenceSeconds) };
    if (address.transport === 'ssh') {
      const command = await sshCommand(request, ips[0]!, folder, this.settings.knownHostsFile);
      const path = address.path.startsWith('/') ? address.path : `/~/${address.path}`;
      const scp = address.path.startsWith('/') ? null : `${address.user}@${address.host}:${address.path}`;
      const url = `ssh://${address.user}@${address.host}:${address.port}${path}`;
      const environment = { GIT_SSH_VARIANT: 'ssh', GIT_SSH_COMMAND: command };
      return { folder, call: { limits, signal, environment }, remote: scp ?? url, flags: flagsOf(flags) };
    }
    const pins = ips.map((ip) => (ip.includes(':') ? `[${ip}]` : ip)).join(',');
    const pin = { 'http.curloptResolve': `${address.host}:${address.port}:${pins}` };
    const ca = await this.authorities(folder);
    const remote = `https://${address.host}:${address.port}${address.path}`;
    return { folder, call: { limits, signal }, remote, flags: flagsOf({ ...flags, ...pin, ...ca }) };
  }

  /** The file replaces curl's own list, so it also contains the usual authorities. */
  private async authorities(folder: string): Promise<Readonly<Record<string, string>>> {
    const { caFile } = this.settings;
    if (caFile === null) return {};
    const file = join(folder, 'authorities.pem');
    await writeFile(file, [...rootCertificates, await readFile(caFile, 'utf8')].join('\n'));
    return { 'http.sslCAInfo': file };
  }
}

function flagsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function forgetCredentials(folder: string): Promise<void> {
  for (const name of ['key', 'known_hosts', 'authorities.pem']) await rm(join(folder, name), { force: true });
}
