import { diagnoseEngine, diagnoseSwarm } from '#libs/services';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

const PERMISSION_CURE =
  'add this account to the group of the socket (usermod -aG docker <account>) and sign in again, or name an engine in DOCKER_HOST';

/** A check of the engine, and one of the swarm if there is one. */
export async function diagnoseRuntime(settings: BothSidesSettings): Promise<Finding[]> {
  return [await engine(settings), ...(await swarm(settings))];
}

async function engine(settings: BothSidesSettings): Promise<Finding> {
  const found = await diagnoseEngine(settings);
  const cure = 'start a Docker Engine, or name one in DOCKER_HOST';
  if (found === null) return off('engine', 'none on this machine: no service can run', cure);
  if ('version' in found) return ok('engine', `Docker ${found.version}`);
  // The engine is running, but this account is not in the group of its socket.
  if (/EACCES|EPERM/.test(found.problem))
    return failed('engine', `Permission denied: ${found.problem}`, PERMISSION_CURE);
  return failed('engine', found.problem, cure);
}

async function swarm(settings: BothSidesSettings): Promise<Finding[]> {
  const found = await diagnoseSwarm(settings);
  if (found === null) return [];
  if ('nodes' in found) return [ok('swarm', `${found.nodes} ${found.nodes === 1 ? 'node' : 'nodes'}`)];
  const cure = 'correct DOCKER_HOST, make that engine a manager (`docker swarm init`), or set RUNTIME=engine';
  return [failed('swarm', found.problem, cure)];
}
