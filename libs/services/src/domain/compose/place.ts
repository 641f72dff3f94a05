import { Invalid, type Violation } from '#kernel/errors';
import { toPointer } from '#kernel/text/json-pointer';
import type { PlanWarning } from '../service-plan.js';
import { ExpansionBudget, MAX_EXPANDED_CHARACTERS, MAX_REFERENCES } from './variables/expansion-budget.js';

/** A key that the panel refuses on purpose; the rest of the codes tell of mistakes. */
export const FORBIDDEN = 'compose_forbidden';

/** A message may name a service or a variable, and such a name may fill the file. */
const MAX_CHARACTERS = 500;
const MAX_NAMES = 5;

/** Collects all that is wrong with a file, so that one answer names it all. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly warnings: PlanWarning[] = [];
  readonly expansion = new ExpansionBudget();
  /** The variables without a value, in words, by the place that names them. */
  readonly unset = new Map<string, string>();

  /** @param hidden a key that the user's file does not have at its top: pointers leave it out */
  constructor(readonly hidden: string | null = null) {}

  /** @throws Invalid `compose_forbidden` or `validation_failed` with every violation, when there is one */
  refuseIfAny(): void {
    const { length } = this.violations;
    if (length === 0) return;
    const forbidden = this.violations.some((violation) => violation.code === FORBIDDEN);
    throw new Invalid(
      forbidden ? FORBIDDEN : 'validation_failed',
      forbidden ? notAllowed(length) : `The compose file has ${length} ${length === 1 ? 'error' : 'errors'}.`,
      this.violations.map((violation) => this.withUnsetVariables(violation)),
    );
  }

  /** A value is often wrong only because a variable in it was not given. */
  private withUnsetVariables(violation: Violation): Violation {
    const unset = this.unset.get(violation.path);
    return unset === undefined ? violation : { ...violation, message: shortened(`${violation.message} ${unset}`) };
  }
}

function notAllowed(count: number): string {
  return count === 1
    ? '1 setting in this compose file is not allowed.'
    : `${count} settings in this compose file are not allowed.`;
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…`;
}

/** `A`, `A and B`, `A, B, C, D, E and 3 more`. */
function listed(names: readonly string[]): string {
  const some = names.slice(0, MAX_NAMES);
  if (names.length > MAX_NAMES) some.push(`${names.length - MAX_NAMES} more`);
  return some.length === 1 ? (some[0] ?? '') : `${some.slice(0, -1).join(', ')} and ${some.at(-1) ?? ''}`;
}

/** One value's place in the user's file, and the means to say something about it. */
export class Place {
  private constructor(
    private readonly findings: Findings,
    private readonly parent: Place | null,
    private readonly keys: readonly (string | number)[],
  ) {}

  static root(findings: Findings): Place {
    return new Place(findings, null, []);
  }

  at(...keys: readonly (string | number)[]): Place {
    return new Place(this.findings, this, keys);
  }

  /** JSON pointer, `/services/web/ports/0`; put together only where there is something to say. */
  get pointer(): string {
    if (this.parent === null) return '';
    const isHidden = this.parent.parent === null && this.keys[0] === this.findings.hidden;
    return this.parent.pointer + toPointer(isHidden ? this.keys.slice(1) : this.keys);
  }

  /**
   * To be asked before work on texts with variables is done; told once what the bound is.
   * @returns false beyond it
   */
  affords(references: number, characters: number): boolean {
    const affords = this.findings.expansion.take(references, characters);
    if (!affords && this.findings.expansion.isFirstRefusal())
      this.refuse(
        `The file uses variables more than ${MAX_REFERENCES} times, or with their values it has more than ` +
          `${MAX_EXPANDED_CHARACTERS} characters, copies by aliases included.`,
        'interpolation_invalid',
      );
    return affords;
  }

  /** The value is not what Compose or the panel understands. Names no value: it may be a secret. */
  refuse(message: string, code = 'validation_failed'): undefined {
    this.findings.violations.push({ path: this.pointer, code, message: shortened(message) });
    return undefined;
  }

  /** The value is understood and refused on purpose. */
  forbid(reason: string): undefined {
    return this.refuse(reason, FORBIDDEN);
  }

  warn(code: string, message: string): void {
    this.findings.warnings.push({ path: this.pointer, code, message: shortened(message) });
  }

  /** Once for a text, with all its variables. */
  warnUnset(variables: readonly string[]): void {
    const were = variables.length === 1 ? 'was' : 'were';
    const noun = variables.length === 1 ? 'The variable' : 'The variables';
    this.findings.unset.set(this.pointer, `${listed(variables)} ${were} not given.`);
    this.warn('variable_unset', `${noun} ${listed(variables)} ${were} not given: an empty string is used.`);
  }

  /** Once for a text, with all its variables. */
  refuseMissing(variables: readonly string[]): void {
    const [noun, are] = variables.length === 1 ? ['The variable', 'is'] : ['The variables', 'are'];
    const were = variables.length === 1 ? 'was' : 'were';
    this.refuse(`${noun} ${listed(variables)} ${are} required and ${were} not given.`, 'variable_missing');
  }
}
