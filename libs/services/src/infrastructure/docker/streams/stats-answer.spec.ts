import { toSample, type StatsAnswer } from './stats-answer.js';

const RUNNING = { read: '2026-05-01T08:30:00.825555652Z', cpu_stats: { cpu_usage: { total_usage: 27_159_375 } } };

describe('an answer about the use of a container', () => {
  it('is read from an engine on cgroup v1', () => {
    const answer: StatsAnswer = {
      ...RUNNING,
      pids_stats: { current: 3 },
      memory_stats: {
        usage: 104_857_600,
        limit: 268_435_456,
        stats: { cache: 5_000_000, inactive_file: 1_000_000, total_inactive_file: 4_857_600 },
      },
      networks: { eth0: { rx_bytes: 1_000, tx_bytes: 10 }, eth1: { rx_bytes: 500, tx_bytes: 5 } },
      blkio_stats: {
        io_service_bytes_recursive: [
          { op: 'Read', value: 4_096 },
          { op: 'Write', value: 8_192 },
          { op: 'Sync', value: 12_288 },
          { op: 'Total', value: 12_288 },
          { op: 'Read', value: 4_096 },
        ],
      },
    };
    expect(toSample('c1', answer)).toEqual({
      containerId: 'c1',
      at: new Date('2026-05-01T08:30:00.825Z'),
      cpuNanos: 27_159_375n,
      memory: { usedBytes: 100_000_000, limitBytes: 268_435_456 },
      network: { rxBytes: 1_500, txBytes: 15 },
      block: { readBytes: 8_192, writeBytes: 8_192 },
      pids: 3,
    });
  });

  // Its memory counters have no `total_…`, and its block operations are written small.
  it('is read from an engine on cgroup v2', () => {
    const answer = {
      ...RUNNING,
      preread: '0001-01-01T00:00:00Z',
      pids_stats: { current: 2, limit: 64 },
      blkio_stats: {
        io_service_bytes_recursive: [
          { major: 259, minor: 0, op: 'read', value: 4_096 },
          { major: 259, minor: 0, op: 'write', value: 8_192 },
        ],
        io_serviced_recursive: null,
      },
      memory_stats: {
        usage: 104_857_600,
        stats: { active_anon: 99_000_000, anon: 99_500_000, file: 5_100_000, inactive_file: 4_857_600, slab: 300_000 },
        limit: 268_435_456,
      },
      networks: { eth0: { rx_bytes: 1_000, rx_packets: 12, tx_bytes: 10, tx_packets: 1 } },
    };
    expect(toSample('c1', answer)).toMatchObject({
      memory: { usedBytes: 100_000_000, limitBytes: 268_435_456 },
      network: { rxBytes: 1_000, txBytes: 10 },
      block: { readBytes: 4_096, writeBytes: 8_192 },
      pids: 2,
    });
  });

  it('is null for a container that does not run', () => {
    expect(toSample('c1', { read: '0001-01-01T00:00:00Z', memory_stats: {} })).toBeNull();
  });

  it('counts zeros without network, block devices and memory counters', () => {
    const answer: StatsAnswer = { ...RUNNING, memory_stats: {}, blkio_stats: { io_service_bytes_recursive: null } };
    expect(toSample('c1', answer)).toMatchObject({
      memory: { usedBytes: 0, limitBytes: 0 },
      network: { rxBytes: 0, txBytes: 0 },
      block: { readBytes: 0, writeBytes: 0 },
      pids: 0,
    });
  });

  it('never subtracts more cache than there is memory', () => {
    const answer = { ...RUNNING, memory_stats: { usage: 10, stats: { inactive_file: 11 } } };
    expect(toSample('c1', answer)!.memory.usedBytes).toBe(10);
  });
});
