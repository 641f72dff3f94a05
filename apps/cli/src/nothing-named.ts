import { DomainError } from '#kernel/errors';
import { parseUuid } from '#kernel/crypto/uuid';
import { kebabCase } from './kebab-case.js';

/** NotFound for staff, who may be told which id or e-mail address of the command does not exist. */
export class NothingNamed extends DomainError {
  readonly kind = 'not-found';

  constructor(options: Readonly<Record<string, unknown>>, args: readonly string[]) {
    const given = Object.entries(options).flatMap(([name, value]) =>
      namesSomething(value) ? [`--${kebabCase(name)} ${value}`] : [],
    );
    const named = [...args.filter(namesSomething), ...given];
    super('not-found', ['The resource does not exist', named.join(', ')].filter(Boolean).join(': ') + '.');
  }
}

function namesSomething(value: unknown): value is string {
  return typeof value === 'string' && (parseUuid(value) !== null || value.includes('@'));
}
