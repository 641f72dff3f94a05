import { TextField } from './field';

interface Props {
  readonly label: string;
  /** The ends of the line, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly error?: string | undefined;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const TO_THE_SECOND = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** To the second, in the zone of the browser. */
export const momentInWords = (at: number): string => TO_THE_SECOND.format(at);
export const momentInUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** What an input of the browser takes for a local time: `2026-05-01T10:30:00`. */
function localText(at: number): string {
  const shifted = at - new Date(at).getTimezoneOffset() * MINUTE_MS;
  return Number.isFinite(shifted) ? new Date(shifted).toISOString().slice(0, 19) : '';
}

/** A moment between two others: picked on a line, or typed in the zone of the browser. */
export function MomentField({ label, from, to, value, onChange, error }: Props) {
  const step = to - from < HOUR_MS ? SECOND_MS : MINUTE_MS;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div>
        <input
          type="range"
          aria-label={`${label}, on a time line`}
          aria-valuetext={Number.isFinite(value) ? momentInWords(value) : ''}
          className="accent-accent h-6 w-full"
          min={from}
          max={to}
          step={step}
          value={Number.isFinite(value) ? value : to}
          onChange={({ target }) => onChange(Number(target.value))}
        />
        <p className="text-quiet flex flex-wrap justify-between gap-x-4 text-xs">
          <span title={momentInUtc(from)}>from {momentInWords(from)}</span>
          <span title={momentInUtc(to)}>to {momentInWords(to)}</span>
        </p>
      </div>
      <TextField
        label={label}
        type="datetime-local"
        step={1}
        required
        value={localText(value)}
        onChange={(text) => onChange(text === '' ? Number.NaN : new Date(text).getTime())}
        hint={Number.isFinite(value) ? `Time zone: ${ZONE}. This is ${momentInUtc(value)}.` : `Time zone: ${ZONE}.`}
        error={error}
      />
    </div>
  );
}
