import { Unavailable } from '#kernel/errors';
import { FakeLicenseService } from '../../support/licensing/fake-license-service.js';
import { licenseServiceContract, newId, order } from './license-service.contract.js';

describe('the license service in memory', () => {
  licenseServiceContract(() => Promise.resolve({ service: new FakeLicenseService(), close: () => Promise.resolve() }));

  it('fails before its effect when told to', async () => {
    const service = new FakeLicenseService();
    const id = newId();
    service.failNext('issue', 'before');
    await expect(service.issue(order(id))).rejects.toThrow(Unavailable);
    expect(await service.find(id)).toBeNull();
  });

  it('fails after its effect when told to', async () => {
    const service = new FakeLicenseService();
    const id = newId();
    service.failNext('issue', 'after');
    await expect(service.issue(order(id))).rejects.toThrow(Unavailable);
    expect(await service.find(id)).not.toBeNull();
  });

  it('holds calls until it is released', async () => {
    const service = new FakeLicenseService();
    const id = newId();
    const release = service.hold();
    const issued = service.issue(order(id));
    expect(service.calls).toHaveLength(1);
    expect(service.records.size).toBe(0);
    release();
    await issued;
    expect(service.records.size).toBe(1);
  });
});
