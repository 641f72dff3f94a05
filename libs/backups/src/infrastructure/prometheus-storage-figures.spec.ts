import { Registry } from 'prom-client';
import type { Uuid } from '#kernel/crypto/uuid';
import { PrometheusStorageFigures } from './prometheus-storage-figures.js';

describe('the metrics of backups', () => {
  it('have a sample for each alarm while it is raised', async () => {
    const registry = new Registry();
    const figures = new PrometheusStorageFigures(registry);
    const lines = async () => (await registry.metrics()).match(/^backup_alarm\{.*$/gm) ?? [];
    const serviceId = '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1001' as Uuid;
    figures.alarms([{ serviceId, code: 'backup_lost' }]);
    expect(await lines()).toEqual([`backup_alarm{service="${serviceId}",code="backup_lost"} 1`]);
    figures.alarms([]);
    expect(await lines()).toEqual([]);
  });
});
