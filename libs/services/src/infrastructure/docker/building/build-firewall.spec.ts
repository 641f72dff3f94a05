import { BuildFirewall, type RunProgram } from './build-firewall.js';

/** `lo` is there on every machine. */
const BRIDGE = 'lo';

describe('the firewall of builds', () => {
  const calls: { readonly line: string; readonly input: string }[] = [];
  const refusing =
    (isRefused: (line: string) => boolean): RunProgram =>
    (program, args, input = '') => {
      const line = [program, ...args].join(' ');
      calls.push({ line, input });
      return isRefused(line) ? Promise.reject(new Error('Permission denied')) : Promise.resolve();
    };
  const resolvers = () => ['10.0.0.2'];

  beforeEach(() => calls.splice(0));

  it('closes private addresses, but for the questions to the resolver, and the host itself', async () => {
    const firewall = new BuildFirewall(
      'auto',
      refusing((line) => line.includes(' -C ')),
      resolvers,
    );
    expect(await firewall.close(BRIDGE)).toBeNull();
    const rules = calls[0]!.input.split('\n');
    expect(rules.slice(0, 4)).toEqual([
      ...['*filter', ':PANEL-BUILD - [0:0]', '-A PANEL-BUILD -d 10.0.0.2 -p udp --dport 53 -j RETURN'],
      '-A PANEL-BUILD -d 10.0.0.2 -p tcp --dport 53 -j RETURN',
    ]);
    for (const net of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'])
      expect(rules).toContain(`-A PANEL-BUILD -d ${net} -j DROP`);
    expect(calls.map(({ line }) => line).filter((line) => line.includes(' -I '))).toEqual([
      'iptables --wait 3 -I DOCKER-USER 1 -i lo -j PANEL-BUILD',
      'iptables --wait 3 -I INPUT 1 -i lo -j DROP',
    ]);
  });

  it('adds no rule that is there already', async () => {
    await new BuildFirewall(
      'auto',
      refusing(() => false),
      resolvers,
    ).close(BRIDGE);
    expect(calls.filter(({ line }) => line.includes(' -I '))).toEqual([]);
  });

  it('tells why it cannot, and refuses the build where that was asked for', async () => {
    const denied = refusing(() => true);
    expect(await new BuildFirewall('auto', denied, resolvers).close(BRIDGE)).toBe('Permission denied');
    expect(await new BuildFirewall('auto', denied, resolvers).close('nowhere0')).toMatch(/does not see .*nowhere0/);
    await expect(new BuildFirewall('required', denied, resolvers).close(BRIDGE)).rejects.toThrow(
      'Nothing is built, because private addresses cannot be closed to builds: Permission denied',
    );
  });

  it('does nothing where somebody else sees to it', async () => {
    expect(
      await new BuildFirewall(
        'off',
        refusing(() => true),
        resolvers,
      ).close(BRIDGE),
    ).toBeNull();
    expect(calls).toEqual([]);
  });
});
