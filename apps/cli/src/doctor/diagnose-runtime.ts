import { diagnoseSwarm } from '#libs/services';
import type { CliSettings } from '../cli.config.js';
import { failed, ok, type Finding } from './finding.js';

/** A line for a swarm; a single engine may be absent, and services tell it themselves. */
export async function diagnoseRuntime(settings: CliSettings): Promise<Finding[]> {
  const found = await diagnoseSwarm(settings);
  if (found === null) return [];
  if ('nodes' in found) return [ok('swarm', `${found.nodes} ${found.nodes === 1 ? 'node' : 'nodes'}`)];
  const cure = 'correct DOCKER_HOST, make that engine a manager (`docker swarm init`), or set RUNTIME=engine';
  return [failed('swarm', found.problem, cure)];
}
