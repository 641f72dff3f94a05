import type { ReactNode } from 'react';
import type { Problem } from '../../../api/problem';
import { Button } from '../../../ui/button';
import { classes } from '../../../ui/classes';
import { TextField } from '../../../ui/forms/field';

export interface Variable {
  readonly name: string;
  readonly value: string;
  /** True for one that has a value already, which is not shown: empty means that it stays. */
  readonly kept?: boolean;
  /** True for one that an analysis found without a value: left empty it is not sent. */
  readonly proposed?: boolean;
}

export const keptVariables = (names: readonly string[]): readonly Variable[] =>
  names.map((name) => ({ name, value: '', kept: true }));

/** The fields for variables that somebody proposes, as far as they are any. */
export const variablesIn = (proposed: unknown): readonly Variable[] =>
  typeof proposed === 'object' && proposed !== null
    ? Object.entries(proposed).map(([name, value]) => ({
        name,
        value: typeof value === 'string' ? value : '',
        proposed: value === '',
      }))
    : [];

/** What changes: new values, and null for variables that were removed. */
export function variableChanges(
  before: readonly string[],
  after: readonly Variable[],
): { variables?: Record<string, string | null> } {
  const names = new Set(after.map(({ name }) => name));
  const changed = after.filter(({ name, value, kept }) => name !== '' && !(kept && value === ''));
  const entries = [
    ...changed.map(({ name, value }) => [name, value] as const),
    ...before.filter((name) => !names.has(name)).map((name) => [name, null] as const),
  ];
  return entries.length === 0 ? {} : { variables: Object.fromEntries(entries) };
}

export function variablesOf(variables: readonly Variable[]): { variables?: Record<string, string> } {
  const named = variables.filter(({ name, value, proposed }) => name !== '' && !(proposed && value === ''));
  return named.length === 0 ? {} : { variables: Object.fromEntries(named.map(({ name, value }) => [name, value])) };
}

interface Props {
  readonly variables: readonly Variable[];
  readonly onChange: (variables: readonly Variable[]) => void;
  readonly hint?: ReactNode;
  readonly problem?: Problem | null;
  /** Null where the heading above says it. */
  readonly legend?: string | null;
}

/** Values for the `${NAME}` of a compose file. */
export function VariableFields({ variables, onChange, hint, problem, legend = 'Variables' }: Props) {
  const change = (index: number, next: Partial<Variable>) =>
    onChange(variables.map((variable, at) => (at === index ? { ...variable, ...next } : variable)));
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className={legend === null ? 'sr-only' : 'mb-2 text-sm font-medium'}>{legend ?? 'Variables'}</legend>
      {hint ? <p className="text-quiet -mt-2 text-xs">{hint}</p> : null}
      {variables.map(({ name, value, kept }, index) => (
        <div
          key={index}
          className="grid grid-cols-1 items-start justify-items-stretch gap-2 sm:grid-cols-[1fr_1fr_auto]"
        >
          <TextField
            label="Name"
            repeated={index > 0}
            value={name}
            readOnly={kept}
            autoComplete="off"
            onChange={(text) => change(index, { name: text })}
            error={problem?.at(`/variables/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)}
          />
          <TextField
            label="Value"
            repeated={index > 0}
            value={value}
            placeholder={kept ? 'unchanged' : undefined}
            autoComplete="off"
            onChange={(text) => change(index, { value: text })}
          />
          <Button
            // Beside the first field, which has its label above it.
            className={classes('justify-self-start', index === 0 && 'sm:mt-6')}
            aria-label={`Remove variable ${name}`}
            onClick={() => onChange(variables.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...variables, { name: '', value: '' }])}>Add a variable</Button>
      </div>
    </fieldset>
  );
}
