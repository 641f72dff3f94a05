import { DomainError } from '#kernel/errors';
import { parseUuid } from '#kernel/crypto/uuid';
import { kebabCase } from './kebab-case.js';

/** Staff may know what does not exist: it is what the command names by id or e-mail address. */
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
