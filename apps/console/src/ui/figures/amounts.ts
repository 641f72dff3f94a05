const STEPS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes as people read them: `1.5 GiB`. */
export function bytes(count: number | null | undefined): string {
  if (count === null || count === undefined) return '–';
  let value = count;
  let step = 0;
  while (value >= 1024 && step < STEPS.length - 1) {
    value /= 1024;
    step++;
  }
  return `${value.toFixed(value >= 100 || step === 0 ? 0 : 1)} ${STEPS[step]}`;
}

export const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${value.toFixed(value >= 10 ? 0 : 1)} %`;
