import { DockerodeContainerRuntime } from '../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import { engineHost, engineJson, engineRequest } from '../support/docker/engine-http.js';
import { freely, freshServiceId } from './container-runtime-bed.js';
import { openDockerBed } from '../support/docker/docker-runtime-bed.js';
import { itRarely } from '../support/rare.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { itIsAContainerRuntime } from './container-runtime.contract.js';

describeWithEngine('the Docker Engine as container runtime', () => {
  itIsAContainerRuntime(openDockerBed);

  itRarely(
    'has one network for an organisation, however many processes make it at the same moment',
    async () => {
      const instance = `test-shared-${process.pid}`;
      const runtimes = [1, 2, 3, 4].map(() => new DockerodeContainerRuntime({ host: engineHost(), instance }));
      for (let round = 0; round < 10; round++) {
        const name = `organisation_${instance}-${round}`;
        const plan = { key: 'shared', name, internal: false, labels: new Map(), organisation: 'panel' };
        await Promise.all(runtimes.map((runtime) => runtime.ensureNetwork(freshServiceId(), plan, freely)));
        const filters = encodeURIComponent(JSON.stringify({ name: [name] }));
        const found = await engineJson<{ Id: string }[]>('GET', `/networks?filters=${filters}`);
        for (const { Id } of found) await engineRequest('DELETE', `/networks/${Id}`);
        expect(found).toHaveLength(1);
      }
    },
    60_000,
  );
});
