import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { classes } from '../classes';
import type { FieldLimit } from './validity';
import { useOwnDefect } from './own-defect';

const INPUT =
  'border-field bg-panel text-text min-h-9 w-full rounded-md border px-3 py-1.5 text-sm placeholder:text-quiet';

interface FrameProps {
  readonly label: string;
  /** For a row of fields below one with the same label, which wide screens show as a column. */
  readonly repeated?: boolean;
  readonly hint?: ReactNode;
  /** What the API or the form says is wrong with the value. */
  readonly error?: string | undefined;
}

interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly className: string;
}

function Frame({
  label,
  repeated = false,
  hint,
  error,
  children,
}: FrameProps & { children: (control: ControlIds) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={classes('mb-1 block text-sm font-medium', repeated && 'sm:sr-only')}>
        {label}
      </label>
      {children({
        id,
        className: classes(INPUT, error && 'border-bad'),
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true as const }),
      })}
      {hint ? (
        <p id={`${id}-hint`} className="text-quiet mt-1 text-xs">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-bad mt-1 text-xs">
          {error}
        </p>
      ) : null}
    </div>
  );
}

type Changed<T> = Omit<T, 'onChange' | 'value'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
};

interface LimitProps {
  /** What the document says about the field. */
  readonly limit?: FieldLimit;
}

const NO_LIMIT: FieldLimit = {};

export function TextField({
  label,
  repeated = false,
  hint,
  error,
  onChange,
  limit = NO_LIMIT,
  ...rest
}: FrameProps & LimitProps & Changed<InputHTMLAttributes<HTMLInputElement>>) {
  const own = useOwnDefect<HTMLInputElement>(rest.value, limit);
  return (
    <Frame label={label} hint={hint} error={own.defect ?? error} repeated={repeated}>
      {(control) => (
        <input {...own.attributes} {...rest} {...control} onChange={(event) => onChange(event.target.value)} />
      )}
    </Frame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  onChange,
  limit = NO_LIMIT,
  ...rest
}: FrameProps & LimitProps & Changed<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const own = useOwnDefect<HTMLTextAreaElement>(rest.value, limit);
  return (
    <Frame label={label} hint={hint} error={own.defect ?? error}>
      {(control) => (
        <textarea
          rows={3}
          {...own.attributes}
          {...rest}
          {...control}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Frame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  onChange,
  children,
  ...rest
}: FrameProps & Changed<SelectHTMLAttributes<HTMLSelectElement>>) {
  return (
    <Frame label={label} hint={hint} error={error}>
      {(control) => (
        <select {...rest} {...control} onChange={(event) => onChange(event.target.value)}>
          {children}
        </select>
      )}
    </Frame>
  );
}

interface CheckProps {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function CheckField({ label, checked, onChange, disabled }: CheckProps) {
  return (
    <label className="flex min-h-6 items-center gap-2 text-sm">
      <input
        type="checkbox"
        className="accent-accent size-4"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
