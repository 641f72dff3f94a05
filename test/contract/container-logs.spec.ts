import { DockerodeContainerLogs } from '../../libs/services/src/infrastructure/docker/streams/dockerode-container-logs.js';
import { runInside } from '../support/docker/container-log.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineHost, engineJson, engineRequest } from '../support/docker/engine-http.js';
import { FakeContainerLogs } from '../support/docker/fakes/fake-container-logs.js';
import { makeImage, removeImage } from '../support/docker/images.js';
import { itReadsContainerLogs, type LogBed } from './container-logs.contract.js';

describe('the fake logs of containers', () => {
  itReadsContainerLogs(() => {
    const logs = new FakeContainerLogs();
    let made = 0;
    return Promise.resolve({
      logs,
      start: () => Promise.resolve(logs.start(`c${++made}`)),
      write: (containerId, stream, ...lines) => {
        for (const line of lines) logs.write(containerId, line, stream);
        return Promise.resolve();
      },
      end: (containerId) => Promise.resolve(logs.end(containerId)),
      remove: (containerId) => Promise.resolve(logs.remove(containerId)),
      close: () => Promise.resolve(),
    });
  });
});

describeWithEngine('the logs of a Docker Engine', () => {
  itReadsContainerLogs(async () => {
    const Image = await makeImage('test-logs:1', { command: ['sleep', '600'] });
    const made: string[] = [];
    const bed: LogBed = {
      logs: new DockerodeContainerLogs({ host: engineHost() }),
      start: async () => {
        const { Id } = await engineJson<{ Id: string }>('POST', '/containers/create', {
          Image,
          HostConfig: { NetworkMode: 'none' },
        });
        made.push(Id);
        await engineRequest('POST', `/containers/${Id}/start`);
        return Id;
      },
      write: async (containerId, stream, ...lines) => {
        const target = `/proc/1/fd/${stream === 'stdout' ? 1 : 2}`;
        for (const line of lines) await runInside(containerId, 'sh', '-c', `echo "$0" > ${target}`, line);
      },
      end: async (containerId) => {
        await engineRequest('POST', `/containers/${containerId}/kill`);
      },
      remove: async (containerId) => {
        await engineRequest('DELETE', `/containers/${containerId}?force=1`);
      },
      close: async () => {
        for (const containerId of made) await bed.remove(containerId);
        await removeImage('test-logs:1');
      },
    };
    return bed;
  });
});
