import { spawnSync } from 'node:child_process';
import { describeWithOwnEngine, OwnEngine } from '../support/docker/own-engine.js';
import { takeTurn } from '../support/turn.js';

const BRIDGE = 'docker0';

const ip = (...options: string[]) => spawnSync('ip', options, { encoding: 'utf8' });
const links = (): readonly string[] => ip('-oneline', 'link', 'show', 'type', 'bridge').stdout.match(/own-\w+/g) ?? [];

describeWithOwnEngine("an engine of a test's own", () => {
  it.each([
    ['with a bridge of its own', false],
    ['without a bridge', true],
  ])(
    "leaves the bridge of the machine's engine alone: %s",
    async (_how, isWithoutBridge) => {
      const endTurn = await takeTurn('default-bridge', 240_000);
      const isMadeHere = ip('link', 'add', BRIDGE, 'type', 'bridge').status === 0;
      const before = links();
      try {
        const engine = await OwnEngine.start({}, isWithoutBridge);
        await engine.remove();
        expect(ip('link', 'show', BRIDGE).status).toBe(0);
        // Other tests of this machine may have begun or ended meanwhile.
        expect(links().filter((name) => !before.includes(name))).toEqual([]);
      } finally {
        if (isMadeHere) ip('link', 'delete', BRIDGE);
        endTurn();
      }
    },
    300_000,
  );
});
