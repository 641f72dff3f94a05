import type { Text } from './recipe.js';

/**
 * A command that runs in the database's container. Secrets go into its environment, because arguments are visible in
 * process lists and in the engine's events.
 */
export interface Command {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, Text>>;
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command and what its result must be. */
export interface Check extends Command {
  /** What must hold, as a clause: "the health endpoint is open". */
  readonly name: string;
  /** @returns what is wrong with the result, without secrets; null if it is correct */
  readonly defect: (result: CommandResult) => string | null;
}

export interface Login extends Command {
  readonly succeeded: (result: CommandResult) => boolean;
}

export function succeeds({ exitCode }: CommandResult): string | null {
  return exitCode === 0 ? null : `the command exited with ${exitCode}`;
}

/** The settings that a server reports, by name, as it writes them. */
export type Facts = ReadonlyMap<string, string>;

/**
 * @param read turns what the command printed into settings
 * @param expected a value, or several of which one must hold
 */
export function reports(
  read: (stdout: string) => Facts,
  expected: Readonly<Record<string, string | number | readonly string[]>>,
): Check['defect'] {
  return (result) => {
    if (result.exitCode !== 0) return succeeds(result);
    const facts = read(result.stdout);
    const wrong = Object.entries(expected).flatMap(([name, wanted]) => {
      const found = facts.get(name);
      const allowed = typeof wanted === 'object' ? wanted : [String(wanted)];
      return found !== undefined && allowed.includes(found)
        ? []
        : [`${name} is ${found ?? 'missing'}, expected ${allowed.join(' or ')}`];
    });
    return wrong.length === 0 ? null : wrong.join('; ');
  };
}

/** `name<TAB>value`, a setting a line. */
export function tabbedFacts(stdout: string): Facts {
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [name, ...value] = line.split('\t');
      return name && value.length > 0 ? [[name, value.join('\t').trim()] as const] : [];
    }),
  );
}

/** A line with the name, then a line with the value. */
export function alternatingFacts(stdout: string): Facts {
  const lines = stdout.split('\n');
  return new Map(lines.flatMap((line, at) => (at % 2 === 0 && line !== '' ? [[line, lines[at + 1] ?? '']] : [])));
}
