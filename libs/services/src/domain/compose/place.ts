import { Invalid, type Violation } from '#kernel/errors';
import { toPointer } from '#kernel/text/json-pointer';
import type { PlanWarning } from '../service-plan.js';
import { ExpansionBudget, MAX_EXPANDED_CHARACTERS, MAX_REFERENCES } from './variables/expansion-budget.js';

/** The code for settings that the panel refuses on purpose. All other codes report errors in the file. */
export const FORBIDDEN = 'compose_forbidden';

/** Limits the message, because it may contain a name as long as the file. */
const MAX_CHARACTERS = 500;
const MAX_NAMES = 5;

/** Collects everything that is wrong with a file, so that one answer reports all of it. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly warnings: PlanWarning[] = [];
  readonly expansion = new ExpansionBudget();
  /** A sentence about the variables without a value, by the pointer to the text that uses them. */
  readonly unset = new Map<string, string>();

  /** @param hidden a top-level key that is not in the user's file, so pointers omit it */
  constructor(readonly hidden: string | null = null) {}

  /** @throws Invalid (`compose_forbidden` or `validation_failed`) with all violations, if there are any */
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

  /** A missing variable is often the reason why a value is wrong, so the message mentions it. */
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

/** The place of a value in the user's file. It takes errors and warnings about the value. */
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

  /** JSON pointer such as `/services/web/ports/0`. Computed on demand, since most places are never reported. */
  get pointer(): string {
    if (this.parent === null) return '';
    const isHidden = this.parent.parent === null && this.keys[0] === this.findings.hidden;
    return this.parent.pointer + toPointer(isHidden ? this.keys.slice(1) : this.keys);
  }

  /**
   * Takes from the budget for variables. Must be called before a text with variables is expanded. The first refusal is
   * reported as an error of the file.
   * @returns false if the budget is used up
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

  /** The value is not valid. The message must not contain it, because it may be a secret. */
  refuse(message: string, code = 'validation_failed'): undefined {
    this.findings.violations.push({ path: this.pointer, code, message: shortened(message) });
    return undefined;
  }

  /** The value is valid but refused on purpose. */
  forbid(reason: string): undefined {
    return this.refuse(reason, FORBIDDEN);
  }

  warn(code: string, message: string): void {
    this.findings.warnings.push({ path: this.pointer, code, message: shortened(message) });
  }

  /** Call once per text, with all its variables. */
  warnUnset(variables: readonly string[]): void {
    const were = variables.length === 1 ? 'was' : 'were';
    const noun = variables.length === 1 ? 'The variable' : 'The variables';
    this.findings.unset.set(this.pointer, `${listed(variables)} ${were} not given.`);
    this.warn('variable_unset', `${noun} ${listed(variables)} ${were} not given: an empty string is used.`);
  }

  /** Call once per text, with all its variables. */
  refuseMissing(variables: readonly string[]): void {
    const [noun, are] = variables.length === 1 ? ['The variable', 'is'] : ['The variables', 'are'];
    const were = variables.length === 1 ? 'was' : 'were';
    this.refuse(`${noun} ${listed(variables)} ${are} required and ${were} not given.`, 'variable_missing');
  }
}
