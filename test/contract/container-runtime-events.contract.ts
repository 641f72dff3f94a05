import type { ContainerEvent, RuntimeEvent } from '../../libs/services/src/application/ports/engine/container-state.js';
import { eventually } from '../support/docker/eventually.js';
import { aContainerSpec } from '../support/docker/plans.js';
import { freely, freshServiceId, pulled, type RuntimeBed } from './container-runtime-bed.js';

export function itTellsWhatHappens(bedOf: () => RuntimeBed): void {
  /** The events of one service until one of them is the `last` one. */
  const told = async (events: AsyncIterable<RuntimeEvent>, serviceId: string, last: string) => {
    const seen: ContainerEvent[] = [];
    for await (const event of events) {
      if (event.kind !== 'container' || event.serviceId !== serviceId) continue;
      seen.push(event);
      if (event.change === last) break;
    }
    return seen;
  };

  const lifeOf = async (serviceId: string) => {
    const { runtime } = bedOf();
    const image = await pulled(bedOf());
    const spec = aContainerSpec({ serviceId, imageId: image.id }, { command: ['sh', '-c', 'exit 3'] });
    const { id } = await runtime.createContainer(spec, freely);
    await runtime.start(id, freely);
    await eventually(
      () => runtime.inspect(id),
      (details) => details?.lifecycle === 'exited',
    );
    await runtime.removeContainer(id, freely);
    return id;
  };

  describe('events', () => {
    it('tell the life of a container in order, to whoever listens meanwhile', async () => {
      const serviceId = freshServiceId();
      const ended = new AbortController();
      const listening = told(bedOf().runtime.events(new Date(), ended.signal), serviceId, 'removed');
      const containerId = await lifeOf(serviceId);
      const seen = await listening;
      expect(seen.map(({ change }) => change)).toEqual(['created', 'started', 'died', 'removed']);
      expect(seen[2]).toMatchObject({ containerId, serviceId, deploymentId: 'deployment-1', exitCode: 3 });
      ended.abort();
    });

    it('can be heard afterwards, from an instant on', async () => {
      const [serviceId, since] = [freshServiceId(), new Date()];
      await lifeOf(serviceId);
      const ended = new AbortController();
      const seen = await told(bedOf().runtime.events(since, ended.signal), serviceId, 'removed');
      expect(seen.map(({ change }) => change)).toEqual(['created', 'started', 'died', 'removed']);
      ended.abort();
    });

    it('tell how the health of a container changes', async () => {
      const { runtime } = bedOf();
      const serviceId = freshServiceId();
      const image = await pulled(bedOf(), 'eventful-health', { healthcheck: 'true' });
      const since = new Date();
      const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId: image.id }), freely);
      await runtime.start(id, freely);
      const ended = new AbortController();
      const seen = await told(runtime.events(since, ended.signal), serviceId, 'health');
      expect(seen.at(-1)).toMatchObject({ change: 'health', health: 'healthy', exitCode: null });
      ended.abort();
    });

    it('end with the signal', async () => {
      const ended = new AbortController();
      const events = bedOf().runtime.events(null, ended.signal)[Symbol.asyncIterator]();
      const next = events.next();
      setTimeout(() => ended.abort(), 50);
      expect(await next).toEqual({ done: true, value: undefined });
    });
  });
}
