import { collectViolations } from '#kernel/collect-violations';
import { Invalid } from '#kernel/errors';

/** Limits for all containers of a service together. */
export interface ResourceLimits {
  /** Fractions are allowed: 0.5 is half a core. */
  readonly cpuCores: number;
  readonly memoryMb: number;
  /** Measured, not enforced by the engine. */
  readonly diskMb: number;
}

export const DEFAULT_LIMITS: ResourceLimits = { cpuCores: 1, memoryMb: 512, diskMb: 5_120 };

const RANGES = {
  cpuCores: { least: 0.05, most: 256, whole: false },
  memoryMb: { least: 16, most: 4_194_304, whole: true },
  diskMb: { least: 1, most: 1_073_741_824, whole: true },
} as const;

/** Omitted limits get their defaults. @throws Invalid with one entry per limit that is out of range */
export function resourceLimits(given: Partial<ResourceLimits>): ResourceLimits {
  const limit = (name: keyof ResourceLimits) => () => inRange(name, { ...DEFAULT_LIMITS, ...given }[name]);
  return collectViolations({ cpuCores: limit('cpuCores'), memoryMb: limit('memoryMb'), diskMb: limit('diskMb') });
}

function inRange(name: keyof ResourceLimits, value: number): number {
  const { least, most, whole } = RANGES[name];
  if (Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw Invalid.field(`resourceLimits.${name}`, `must be ${kind} from ${least} to ${most}`, 'validation_failed');
}
