import { groupUsage, type MemberUsage } from './group-usage.js';

const MB = 1024 * 1024;
const LIMITS = { cpuCores: 2, memoryMb: 512 };

function member(name: string, cores: number, memoryMb: number): MemberUsage {
  const counters = (seconds: number) => ({
    at: new Date(seconds * 1000),
    seenMs: seconds * 1000,
    cpuNanos: BigInt(Math.round(seconds * cores * 1e9)),
    rxBytes: seconds * 100,
    txBytes: seconds,
  });
  return {
    id: `id of ${name}`,
    name,
    before: counters(10),
    now: counters(20),
    memoryBytes: memoryMb * MB,
    blockReadBytes: 4_096,
    blockWriteBytes: 1,
    pids: 3,
  };
}

describe('what a group uses', () => {
  it('is the sum of its containers, of the limits of the service', () => {
    expect(groupUsage([member('web', 0.5, 64), member('db', 1, 192)], LIMITS)).toEqual({
      cpuPct: 75,
      ramPct: 50,
      memoryUsedBytes: 256 * MB,
      memoryLimitBytes: 512 * MB,
      netRxBytes: 4_000,
      netTxBytes: 40,
      blockReadBytes: 8_192,
      blockWriteBytes: 2,
      pids: 6,
      rxBps: 200,
      txBps: 2,
      containers: [
        { id: 'id of web', name: 'web', cpuPct: 25, memoryUsedBytes: 64 * MB },
        { id: 'id of db', name: 'db', cpuPct: 50, memoryUsedBytes: 192 * MB },
      ],
    });
  });

  it('is not known while one of them is new', () => {
    expect(groupUsage([member('web', 0.5, 64), { ...member('db', 1, 192), before: null }], LIMITS)).toBeNull();
  });

  it('is nothing when none of them runs', () => {
    expect(groupUsage([], LIMITS)).toMatchObject({ cpuPct: 0, ramPct: 0, pids: 0, containers: [] });
  });

  it('is never more than all of it', () => {
    expect(groupUsage([member('web', 3, 600)], LIMITS)).toMatchObject({ cpuPct: 100, ramPct: 100 });
  });
});
