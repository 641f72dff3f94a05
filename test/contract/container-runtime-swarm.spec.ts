import { openSwarmBed } from '../support/docker/swarm-runtime-bed.js';
import { ownEngineDefect } from '../support/docker/own-engine.js';
import { itIsAContainerRuntime } from './container-runtime.contract.js';

const defect = ownEngineDefect();
if (defect !== null && process.env.CI !== 'true')
  process.stderr.write(`skipped: a swarm as container runtime: ${defect}\n`);
const describeWithSwarm = defect === null || process.env.CI === 'true' ? describe : describe.skip;

describeWithSwarm('a swarm as container runtime', () => {
  itIsAContainerRuntime(openSwarmBed);
});
