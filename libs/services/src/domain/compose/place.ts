import { Invalid, type Violation } from '#kernel/errors';
import type { PlanWarning } from '../service-plan.js';
import { ExpansionBudget, MOST_EXPANDED_CHARACTERS, MOST_REFERENCES } from './expansion-budget.js';

/** A key that the panel refuses on purpose; the rest of the codes tell of mistakes. */
export const FORBIDDEN = 'compose_forbidden';

/** A message may name a service or a variable, and such a name may fill the file. */
const MOST_CHARACTERS = 500;
const MOST_NAMES = 5;

/** Collects all that is wrong with a file, so that one answer names it all. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly warnings: PlanWarning[] = [];
  readonly expansion = new ExpansionBudget();
  /** Variables without a value, by the place that names them. */
  private readonly unset = new Map<string, Set<string>>();

  /** False when it was noted before for this place. */
  noteUnset(pointer: string, variable: string): boolean {
    const names = this.unset.get(pointer) ?? new Set();
    if (names.has(variable)) return false;
    this.unset.set(pointer, names.add(variable));
    return true;
  }

  /** @throws Invalid `compose_forbidden` or `validation_failed` with every violation, when there is one */
  refuseIfAny(): void {
    const { length } = this.violations;
    if (length === 0) return;
    const forbidden = this.violations.some((violation) => violation.code === FORBIDDEN);
    throw new Invalid(
      forbidden ? FORBIDDEN : 'validation_failed',
      `${forbidden ? 'The compose file asks for what the panel forbids' : 'The compose file is not valid'}: ` +
        `${length} ${length === 1 ? 'place' : 'places'}.`,
      this.violations.map((violation) => ({ ...violation, message: shortened(this.messageOf(violation)) })),
    );
  }

  /** A value is often wrong only because a variable in it was not given. */
  private messageOf({ path, message }: Violation): string {
    const names = [...(this.unset.get(path) ?? [])];
    if (names.length === 0) return message;
    const named = names.slice(0, MOST_NAMES).map(shortened);
    if (names.length > MOST_NAMES) named.push(`${names.length - MOST_NAMES} more`);
    return `${message} ${named.join(' and ')} ${names.length > 1 ? 'were' : 'was'} not given.`;
  }
}

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
}

/** One value's place in the user's file, and the means to say something about it. */
export class Place {
  private written: string | null = null;

  private constructor(
    private readonly findings: Findings,
    private readonly parent: Place | null,
    private readonly keys: readonly (string | number)[],
    private readonly hidden: string | null = null,
  ) {}

  /** @param hidden a key that the user's file does not have at its top: pointers leave it out */
  static root(findings: Findings, hidden: string | null = null): Place {
    return new Place(findings, null, [], hidden);
  }

  at(...keys: readonly (string | number)[]): Place {
    const isHidden = this.hidden !== null && keys[0] === this.hidden;
    return new Place(this.findings, this, isHidden ? keys.slice(1) : keys);
  }

  /** JSON pointer, `/services/web/ports/0`; put together only where there is something to say. */
  get pointer(): string {
    return (this.written ??= (this.parent?.pointer ?? '') + toPointer(this.keys));
  }

  /**
   * To be asked before work on texts with variables is done; told once what the bound is.
   * @returns false beyond it
   */
  affords(references: number, characters: number): boolean {
    const affords = this.findings.expansion.take(references, characters);
    if (!affords && this.findings.expansion.isFirstRefusal())
      this.refuse(
        `The file uses variables more than ${MOST_REFERENCES} times, or with their values it has more than ` +
          `${MOST_EXPANDED_CHARACTERS} characters, copies by aliases included.`,
        'interpolation_invalid',
      );
    return affords;
  }

  /** The value is not what Compose or the panel understands. Names no value: it may be a secret. */
  refuse(message: string, code = 'validation_failed'): undefined {
    this.findings.violations.push({ path: this.pointer, code, message });
    return undefined;
  }

  /** The value is understood and refused on purpose. */
  forbid(reason: string): undefined {
    return this.refuse(reason, FORBIDDEN);
  }

  warn(code: string, message: string): void {
    this.findings.warnings.push({ path: this.pointer, code, message });
  }

  warnUnset(variable: string): void {
    if (this.findings.noteUnset(this.pointer, variable))
      this.warn('variable_unset', `The variable ${variable} was not given: an empty text stands for it.`);
  }
}

export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function fromPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
