import { spawnSync } from 'node:child_process';
import { ip } from '../support/docker/own-engine/ip-command.js';
import { keepMachineBridge, MACHINE_BRIDGE } from '../support/docker/own-engine/machine-bridge.js';
import { describeWithOwnEngine, OwnEngine } from '../support/docker/own-engine/own-engine.js';

const MAX_TEST_MS = 300_000;

/** Bridges that the engines of tests have. */
const ownBridges = (): readonly string[] =>
  spawnSync('ip', ['-oneline', 'link', 'show', 'type', 'bridge'], { encoding: 'utf8' }).stdout.match(/own-\w+/g) ?? [];

/** No other test has hidden the machine's bridge meanwhile. */
async function withBridge<Result>(work: () => Result): Promise<Result> {
  const release = await keepMachineBridge();
  try {
    return work();
  } finally {
    release();
  }
}

describeWithOwnEngine("an engine of a test's own", () => {
  it.each([
    ['with a bridge of its own', false, false],
    ['with a bridge of its own, started again after a kill', false, true],
    ['without a bridge', true, false],
  ])(
    "leaves the bridge of the machine's engine alone: %s",
    async (_how, isWithoutBridge, isKilled) => {
      const isMadeHere = await withBridge(() => ip('link', 'add', MACHINE_BRIDGE, 'type', 'bridge') === null);
      const before = ownBridges();
      try {
        const engine = await OwnEngine.start({}, isWithoutBridge);
        if (isKilled) {
          await engine.kill();
          await engine.rise();
        }
        await engine.remove();
        expect(await withBridge(() => ip('link', 'show', MACHINE_BRIDGE))).toBeNull();
        // Other tests of this machine may have begun or ended meanwhile.
        expect(ownBridges().filter((name) => !before.includes(name))).toEqual([]);
      } finally {
        if (isMadeHere) await withBridge(() => ip('link', 'delete', MACHINE_BRIDGE));
      }
    },
    MAX_TEST_MS,
  );
});
