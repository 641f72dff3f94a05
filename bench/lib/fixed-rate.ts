import { setTimeout as pause } from 'node:timers/promises';

/**
 * Begins work at fixed times, whether or not what began earlier has ended.
 * @param isOver given the seconds since the start
 * @returns the 99th percentile of the milliseconds from when work was due to its end
 */
export async function p99AtRate(
  work: () => Promise<unknown>,
  perSecond: number,
  isOver: (seconds: number) => boolean,
): Promise<number> {
  const latencies: number[] = [];
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; !isOver(index / perSecond); index += 1) {
    const due = startedAt + (index * 1000) / perSecond;
    while (performance.now() < due) await pause(1);
    running.push(work().then(() => void latencies.push(performance.now() - due)));
  }
  await Promise.all(running);
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
}
