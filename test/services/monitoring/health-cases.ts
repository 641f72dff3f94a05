import { OrganisationScope } from '#libs/services';
import { IMAGE, WEB, type MonitoredPipeline } from '../../support/services/monitored-pipeline.js';

const CHECKED = `services:\n  web: {image: '${IMAGE}', healthcheck: {test: [CMD, 'true'], interval: 1s}}\n`;

/** What monitoring makes of the health of services, and does about it. */
export function itWatchesHealth(bedOf: () => MonitoredPipeline): void {
  describe('and the health of services', () => {
    let bed: MonitoredPipeline;
    let pipeline: MonitoredPipeline['pipeline'];
    let runtime: MonitoredPipeline['runtime'];

    beforeAll(() => {
      bed = bedOf();
      ({ pipeline, runtime } = bed);
    });

    it('is told when it changes, and only then', async () => {
      const id = await pipeline.create(CHECKED);
      await bed.rounds(2);
      expect(await bed.healthOf(id)).toMatchObject({
        status: 'healthy',
        containers: [{ name: 'web', health: 'healthy', failingStreak: 0, lastProbe: { exitCode: 0 } }],
        recovery: { enabled: true, attempts: 0, lastAt: null, nextAt: null },
      });
      runtime.containers.setHealth(bed.containerOf(id).id, 'unhealthy');
      await bed.rounds(2);
      expect(await bed.healthOf(id)).toMatchObject({ status: 'unhealthy', containers: [{ failingStreak: 2 }] });
      expect(await bed.healthEvents(id)).toEqual([
        { serviceId: id, status: 'healthy', previous: null },
        { serviceId: id, status: 'unhealthy', previous: 'healthy' },
      ]);
    });

    it('is bad while a container restarts for ever, also when it runs at the moment of the look', async () => {
      const id = await pipeline.create(WEB);
      await bed.round();
      bed.containerOf(id).restartCount = 7;
      await bed.round();
      expect(await bed.healthOf(id)).toMatchObject({ status: 'unhealthy', containers: [{ restartCount: 7 }] });
      await bed.round();
      expect(await bed.healthOf(id)).toMatchObject({ status: 'none' });
    });

    it('leads to restarts when it stays bad, with pauses between them that outlive the process', async () => {
      const id = await pipeline.create(CHECKED);
      await bed.round();
      const fall = () => runtime.containers.setHealth(bed.containerOf(id).id, 'unhealthy');
      fall();
      expect(await bed.rounds(3)).toEqual([[], [], [id]]);
      expect(await pipeline.service(id)).toMatchObject({ status: 'restarting' });
      expect((await bed.healthOf(id)).recovery).toMatchObject({ attempts: 1, lastAt: expect.any(Date) });
      await pipeline.workOff();
      expect(await pipeline.last(id)).toMatchObject({
        trigger: 'restart',
        status: 'succeeded',
        actor: { userId: null, apiKeyId: null },
        errorMessage: 'health_gate_failed: The service stayed unhealthy: restart 1 by the panel.',
      });
      fall();
      expect((await bed.rounds(4)).flat()).toEqual([]);
      // The process is another one from here on.
      await bed.monitor.release();
      expect(await bed.monitor.hold()).toBe(true);
      bed.clock.advance(30_000);
      expect(await bed.rounds(1)).toEqual([[id]]);
      const { attempts, lastAt, nextAt } = (await bed.healthOf(id)).recovery;
      expect([attempts, nextAt!.getTime() - lastAt!.getTime()]).toEqual([2, 60_000]);
      await pipeline.workOff();
      await bed.round();
      bed.clock.advance(600_000);
      await bed.round();
      expect((await bed.healthOf(id)).recovery).toMatchObject({ attempts: 0, nextAt: null });
    });

    it('leads to none beside or behind another operation, nor of a service that is not to run', async () => {
      const id = await pipeline.create(CHECKED);
      await bed.round();
      runtime.containers.setHealth(bed.containerOf(id).id, 'unhealthy');
      await bed.rounds(2);
      await pipeline.control.act(OrganisationScope.all, id, 'redeploy', { userId: null, apiKeyId: null });
      expect((await bed.rounds(4)).flat()).toEqual([]);
      await pipeline.workOff();
      runtime.containers.setHealth(bed.containerOf(id).id, 'unhealthy');
      await bed.rounds(2);
      await bed.sql("update services.services set status = 'error' where id = $1", [id]);
      expect((await bed.rounds(4)).flat()).toEqual([]);
    });
  });
}
