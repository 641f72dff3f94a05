import { processorTimeMs, systemThreadId } from './thread-time.js';

const isLinux = process.platform === 'linux';
const describeOnLinux = isLinux ? describe : describe.skip;

describeOnLinux(`the processor time of a thread${isLinux ? '' : ' (skipped: only Linux tells it)'}`, () => {
  it('grows with its work, and not while it waits', async () => {
    const id = systemThreadId();
    const began = processorTimeMs(id)!;
    await new Promise((resolve) => setTimeout(resolve, 60));
    const waited = processorTimeMs(id)! - began;
    while (processorTimeMs(id)! - began < waited + 60) JSON.stringify({ began });
    expect(waited).toBeLessThan(50);
  });

  it('of a thread that is gone is not known', () => {
    expect(processorTimeMs(null)).toBeNull();
    expect(processorTimeMs(2 ** 30)).toBeNull();
  });
});
