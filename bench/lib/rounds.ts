import type { Measured } from './row.js';

const WARM_UP_MS = 12_000;

/**
 * Measures baseline and product in turn, A-B-B-A in each round, so that other load on the machine affects both alike.
 * The ratio is the median of the rounds' ratios. Both sides warm up before the first round until their code is
 * compiled: a long-running process is measured, not one that has just started.
 */
export async function compare(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<Measured> {
  const warmEnough = performance.now() + WARM_UP_MS;
  do {
    await ours();
    await baseline();
  } while (performance.now() < warmEnough);
  const results: { ours: number; baseline: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const a = await ours();
    const b = await baseline();
    const bAgain = await baseline();
    const aAgain = await ours();
    const mean = { ours: (a + aAgain) / 2, baseline: (b + bAgain) / 2 };
    results.push({ ...mean, ratio: mean.ours / mean.baseline });
  }
  return {
    ours: median(results.map((result) => result.ours)),
    baseline: median(results.map((result) => result.baseline)),
    judged: median(results.map((result) => result.ratio)),
  };
}

/** A result without a baseline: the median of the rounds. */
export async function repeat(rounds: number, measure: () => Promise<number>): Promise<Measured> {
  const results: number[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure());
  const ours = median(results);
  return { ours, baseline: null, judged: ours };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** @returns the duration in milliseconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
