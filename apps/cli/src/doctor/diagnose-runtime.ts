import { diagnoseEngine, diagnoseSwarm } from '#libs/services';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

/** A line for the engine, and one for a swarm. */
export async function diagnoseRuntime(settings: BothSidesSettings): Promise<Finding[]> {
  return [await engine(settings), ...(await swarm(settings))];
}

async function engine(settings: BothSidesSettings): Promise<Finding> {
  const found = await diagnoseEngine(settings);
  const cure = 'start a Docker Engine, or name one in DOCKER_HOST';
  if (found === null) return off('engine', 'none on this machine: no service can run', cure);
  return 'version' in found ? ok('engine', `Docker ${found.version}`) : failed('engine', found.problem, cure);
}

async function swarm(settings: BothSidesSettings): Promise<Finding[]> {
  const found = await diagnoseSwarm(settings);
  if (found === null) return [];
  if ('nodes' in found) return [ok('swarm', `${found.nodes} ${found.nodes === 1 ? 'node' : 'nodes'}`)];
  const cure = 'correct DOCKER_HOST, make that engine a manager (`docker swarm init`), or set RUNTIME=engine';
  return [failed('swarm', found.problem, cure)];
}
