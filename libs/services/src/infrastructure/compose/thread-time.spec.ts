import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { systemThreadId, threadTimes } from './thread-time.js';

const isLinux = process.platform === 'linux';
const describeOnLinux = isLinux ? describe : describe.skip;

describeOnLinux(`the times of a thread${isLinux ? '' : ' (skipped: only Linux tells it)'}`, () => {
  it('grows with its work, but not while it waits', async () => {
    const id = systemThreadId();
    const worked = () => threadTimes(id)!.workedMs;
    const began = worked();
    await new Promise((resolve) => setTimeout(resolve, 60));
    const waited = worked() - began;
    while (worked() - began < waited + 60) JSON.stringify({ began });
    expect(waited).toBeLessThan(50);
  });

  it('counts the time waiting for a CPU', async () => {
    const id = systemThreadId();
    const began = performance.now();
    const before = threadTimes(id)!;
    const others = Array.from({ length: 4 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
    while (threadTimes(id)!.waitedMs - before.waitedMs < 100 && performance.now() - began < 10_000)
      JSON.stringify(before);
    await Promise.all(others.map((one) => one.terminate()));
    expect(threadTimes(id)!.waitedMs - before.waitedMs).toBeGreaterThanOrEqual(100);
  }, 20_000);

  it('is unknown for a thread that has ended', () => {
    expect(threadTimes(null)).toBeNull();
    expect(threadTimes(2 ** 30)).toBeNull();
  });
});
