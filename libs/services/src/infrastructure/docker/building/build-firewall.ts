import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { BuildFailed } from '../../../application/ports/git/image-builder.js';

/** `auto`: if this process is allowed to; `required`: no build without it; `off`: the operator takes care of it. */
export const FIREWALL_POLICIES = ['auto', 'required', 'off'] as const;
export type FirewallPolicy = (typeof FIREWALL_POLICIES)[number];

const CHAIN = 'PANEL-BUILD';
const PROGRAM_MS = 5_000;
/** All address ranges that are not on the internet. */
const CLOSED = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
];

/** Runs a program with this input. @throws an error with its output */
export type RunProgram = (program: string, args: readonly string[], input?: string) => Promise<void>;

/**
 * Blocks build steps from private addresses, including other containers, and from everything that listens on the
 * engine's host. Only a process in the host's own network that may change its firewall can do this.
 */
export class BuildFirewall {
  constructor(
    private readonly policy: FirewallPolicy,
    private readonly run: RunProgram = runProgram,
    private readonly resolvers: () => readonly string[] = resolversOfHost,
  ) {}

  /**
   * Called before each build, because these rules are lost when the host's firewall is reloaded.
   * @param bridge the interface of the network in which steps run
   * @returns why private addresses are reachable; null when they are blocked, or when the mode is `off`
   * @throws BuildFailed when they must be blocked but are not
   */
  async close(bridge: string): Promise<string | null> {
    if (this.policy === 'off') return null;
    try {
      await this.apply(bridge);
      return null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.policy === 'auto') return reason;
      throw new BuildFailed(`Nothing is built, because private addresses cannot be closed to builds: ${reason}`);
    }
  }

  private async apply(bridge: string): Promise<void> {
    if (!existsSync(`/sys/class/net/${bridge}`))
      throw new Error(`this process does not see the interface ${bridge} of the engine's host`);
    const rules = [
      ...this.resolvers().flatMap((ip) =>
        ['udp', 'tcp'].map((protocol) => `-A ${CHAIN} -d ${ip} -p ${protocol} --dport 53 -j RETURN`),
      ),
      ...CLOSED.map((net) => `-A ${CHAIN} -d ${net} -j DROP`),
    ];
    // The whole chain at once, so that the rules are never missing.
    const table = ['*filter', `:${CHAIN} - [0:0]`, ...rules, 'COMMIT', ''].join('\n');
    await this.run('iptables-restore', ['--wait', '3', '--noflush'], table);
    await this.first('DOCKER-USER', ['-i', bridge, '-j', CHAIN]);
    await this.first('INPUT', ['-i', bridge, '-j', 'DROP']);
  }

  private async first(chain: string, rule: readonly string[]): Promise<void> {
    const isThere = await this.run('iptables', ['--wait', '3', '-C', chain, ...rule]).then(
      () => true,
      () => false,
    );
    if (!isThere) await this.run('iptables', ['--wait', '3', '-I', chain, '1', ...rule]);
  }
}

/** The engine queries these for its containers. It queries one on the loopback interface from the host. */
function resolversOfHost(): readonly string[] {
  const lines = readFileSync('/etc/resolv.conf', 'utf8').split('\n');
  const named = lines.map((line) => /^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/.exec(line)?.[1]);
  return named.filter((ip) => ip !== undefined && !ip.startsWith('127.')) as string[];
}

function runProgram(program: string, args: readonly string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin' };
    const child = spawn(program, args, { env, timeout: PROGRAM_MS, stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-500)));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program}: ${said.trim() || `ended with ${code}`}`)),
    );
    child.stdin.on('error', () => undefined).end(input);
  });
}
