import { numberIn } from '../../../api/number-in';
import { createService } from '../../../api/limits';
import type { Problem } from '../../../api/problem';
import { TextField } from '../../../ui/forms/field';

export interface LimitTexts {
  readonly cpuCores: string;
  readonly memoryMb: string;
  readonly diskMb: string;
}

export const NO_LIMITS: LimitTexts = { cpuCores: '', memoryMb: '', diskMb: '' };
const FIELDS = [
  ['cpuCores', 'CPU cores'],
  ['memoryMb', 'Memory in MiB'],
  ['diskMb', 'Disk in MiB'],
] as const;

export const textsOf = (limits: Readonly<Record<keyof LimitTexts, number>>): LimitTexts => ({
  cpuCores: String(limits.cpuCores),
  memoryMb: String(limits.memoryMb),
  diskMb: String(limits.diskMb),
});

/** The fields for limits that somebody proposes, as far as they are any. */
export function limitsIn(proposed: unknown): LimitTexts {
  const given = typeof proposed === 'object' && proposed !== null ? Object.entries(proposed) : [];
  const known = given.filter(([name, value]) => name in NO_LIMITS && typeof value === 'number');
  return { ...NO_LIMITS, ...Object.fromEntries(known.map(([name, value]) => [name, String(value)])) };
}

/** What a request says of limits: nothing where every field is empty, so that the defaults of the panel hold. */
export function limitsOf(limits: LimitTexts): { resourceLimits?: Record<keyof LimitTexts, number> } {
  const given = FIELDS.filter(([name]) => limits[name].trim() !== '').map(
    ([name]) => [name, numberIn(limits[name])] as const,
  );
  return given.length === 0 ? {} : { resourceLimits: Object.fromEntries(given) as Record<keyof LimitTexts, number> };
}

interface Props {
  readonly limits: LimitTexts;
  readonly onChange: (limits: LimitTexts) => void;
  readonly problem: Problem | null;
  /** Where the limits stand in the body of the request. */
  readonly base?: string;
  /** False where the heading above says it. */
  readonly hasLegend?: boolean;
}

export function LimitFields({ limits, onChange, problem, base = '/resourceLimits', hasLegend = true }: Props) {
  return (
    <fieldset>
      <legend className={hasLegend ? 'mb-2 text-sm font-medium' : 'sr-only'}>Limits</legend>
      <p className="text-quiet mb-3 text-xs">How much the service may use at most.</p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        {FIELDS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            inputMode="decimal"
            placeholder="default"
            limit={createService.resourceLimits[name]}
            value={limits[name]}
            onChange={(value) => onChange({ ...limits, [name]: value })}
            error={problem?.at(`${base}/${name}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}
