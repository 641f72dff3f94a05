import { openDockerBed } from '../support/docker/docker-runtime-bed.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { itIsAContainerRuntime } from './container-runtime.contract.js';

describeWithEngine('the Docker Engine as container runtime', () => {
  itIsAContainerRuntime(openDockerBed);
});
