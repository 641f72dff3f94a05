import { Invalid, type Violation } from '#kernel/errors';
import type { PlanWarning } from '../service-plan.js';

/** A key that the panel refuses on purpose; the rest of the codes tell of mistakes. */
export const FORBIDDEN = 'compose_forbidden';

const MOST_VIOLATIONS = 100;

/** Collects all that is wrong with a file, so that one answer names it all. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly warnings: PlanWarning[] = [];
  /** Variables without a value, by the place that names them. */
  readonly unset = new Map<string, string[]>();

  /** @throws Invalid `compose_forbidden` or `validation_failed` with every violation, when there is one */
  refuseIfAny(): void {
    if (this.violations.length === 0) return;
    const forbidden = this.violations.some((violation) => violation.code === FORBIDDEN);
    const named = this.worstFirst()
      .slice(0, MOST_VIOLATIONS)
      .map((violation) => this.withUnsetVariables(violation));
    const more = this.violations.length - named.length;
    throw new Invalid(
      forbidden ? FORBIDDEN : 'validation_failed',
      `${forbidden ? 'The compose file asks for what the panel forbids' : 'The compose file is not valid'}: ` +
        `${this.violations.length} ${this.violations.length === 1 ? 'place' : 'places'}` +
        `${more > 0 ? `, the first ${MOST_VIOLATIONS} of them listed` : ''}.`,
      named,
    );
  }

  /** In the order of their finding, unless some will not be listed: then what is forbidden comes first. */
  private worstFirst(): readonly Violation[] {
    const isForbidden = ({ code }: Violation): number => (code === FORBIDDEN ? 1 : 0);
    if (this.violations.length <= MOST_VIOLATIONS) return this.violations;
    return [...this.violations].sort((one, other) => isForbidden(other) - isForbidden(one));
  }

  /** A value is often wrong only because a variable in it was not given. */
  private withUnsetVariables(violation: Violation): Violation {
    const names = (this.unset.get(violation.path) ?? []).join(' and ');
    if (names === '') return violation;
    const message = `${violation.message} ${names} ${names.includes(' ') ? 'were' : 'was'} not given.`;
    return { ...violation, message };
  }
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
    return (this.parent?.pointer ?? '') + toPointer(this.keys);
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
    this.warn('variable_unset', `The variable ${variable} was not given: an empty text stands for it.`);
    const { unset } = this.findings;
    unset.set(this.pointer, [...new Set([...(unset.get(this.pointer) ?? []), variable])]);
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
