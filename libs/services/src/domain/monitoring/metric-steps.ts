/** In seconds. */
interface Steps {
  readonly length: number;
  readonly step: number;
}

const STEPS = {
  '15m': { length: 900, step: 10 },
  '1h': { length: 3_600, step: 60 },
  '6h': { length: 21_600, step: 300 },
  '24h': { length: 86_400, step: 900 },
} as const satisfies Record<string, Steps>;

/** A range of whole steps. The last one is the step that contains `now`. */
export function stepsOf(range: keyof typeof STEPS, now: Date) {
  const { length, step } = STEPS[range];
  const last = Math.floor(now.getTime() / 1000 / step) * step;
  return { from: new Date((last + step - length) * 1000), to: now, stepSeconds: step };
}
