import { Conflict, Invalid } from '#kernel/errors';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';

export interface Organisation {
  readonly id: Uuid;
  readonly name: string;
  /** Null at the top of a tree. */
  readonly parentId: Uuid | null;
  readonly createdAt: Date;
}

const MAX_NAME_LENGTH = 200;

/** @throws Invalid if the name is empty, too long or cannot be stored */
export function organisationName(text: string): string {
  const name = text.trim();
  if (name === '') throw Invalid.field('name', 'must not be empty');
  if (characterCount(name) > MAX_NAME_LENGTH) {
    throw Invalid.field('name', `must not be longer than ${MAX_NAME_LENGTH} characters`);
  }
  const defect = textDefect(name);
  if (defect) throw Invalid.field('name', defect);
  return name;
}

/**
 * The position of an organisation: itself first, then its parent, up to the top. Every check "does this reach that
 * organisation?" uses a lineage.
 */
export class Lineage {
  private constructor(private readonly ids: readonly Uuid[]) {}

  /** @param ids from the organisation itself up to the top, at least one */
  static of(ids: readonly Uuid[]): Lineage {
    if (ids.length === 0) throw new RangeError('a lineage begins with the organisation itself');
    return new Lineage(ids);
  }

  get organisationId(): Uuid {
    return this.ids[0]!;
  }

  /** The top of its tree first, itself last. */
  get fromTop(): readonly Uuid[] {
    return [...this.ids].reverse();
  }

  /** True for the organisation itself and for everything above it. */
  isAtOrBelow(organisationId: Uuid): boolean {
    return this.ids.includes(organisationId);
  }
}

/** @throws Conflict if an organisation would be below itself */
export function assertNoCycle(organisationId: Uuid, newParent: Lineage): void {
  if (newParent.isAtOrBelow(organisationId)) {
    throw new Conflict('organisation-cycle', 'An organisation cannot be below itself.');
  }
}
