import { spawnSync } from 'node:child_process';
import { engineHost } from './engine-http.js';

export type EngineState = { readonly available: true } | { readonly available: false; readonly reason: string };

/**
 * Checks once whether the engine responds. Synchronous, because Jest must know all tests before it runs any of them.
 */
export function engineState(host = engineHost()): EngineState {
  const probe = spawnSync(process.execPath, ['-e', PROBE, host], { encoding: 'utf8', timeout: 10_000 });
  if (probe.status === 0) return { available: true };
  const problem = probe.stderr.trim().split('\n').at(-1) || `the probe exited with ${probe.signal ?? probe.status}`;
  return { available: false, reason: `no Docker engine answers at ${host} (${problem})` };
}

/**
 * A `describe` that needs a running engine. Without one it is skipped with the reason. With `CI=true` or
 * `REQUIRE_DOCKER=1` it fails instead.
 */
export function describeWithEngine(name: string, define: () => void): void {
  const state = engineState();
  if (state.available) {
    describe(name, define);
    return;
  }
  if (process.env.CI === 'true' || process.env.REQUIRE_DOCKER === '1') {
    describe(name, () => {
      it('has a Docker engine to run on', () => {
        throw new Error(state.reason);
      });
    });
    return;
  }
  process.stderr.write(`skipped: ${name}: ${state.reason}\n`);
  describe.skip(name, define);
}

const PROBE = `
const host = process.argv[1];
const url = host.startsWith('unix://') ? null : new URL(host.replace(/^tcp:/, 'http:'));
const where = url ? { host: url.hostname, port: url.port || 2375 } : { socketPath: host.slice(7) };
const call = require('node:http').get({ ...where, path: '/_ping', timeout: 3000 }, (answer) => {
  answer.resume();
  answer.on('end', () => fail(answer.statusCode === 200 ? null : 'status ' + answer.statusCode));
});
call.on('timeout', () => call.destroy(new Error('no answer within 3 s')));
call.on('error', (error) => fail(error.message));
function fail(problem) { if (problem) process.stderr.write(problem); process.exit(problem ? 1 : 0); }
`;
