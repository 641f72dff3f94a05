import type { Uuid } from '#kernel/crypto/uuid';

const ids = new Map<string, Uuid>();
const names = new Map<Uuid, string>();

/** A UUID that encodes a short name of a test (`cA`, `l1`): equal names give equal ids, and ids sort like names. */
export function idOf(name: string): Uuid {
  const id = ids.get(name) ?? spell(name);
  ids.set(name, id);
  names.set(id, name);
  return id;
}

/** The name that `idOf` was given. */
export function nameOf(id: Uuid): string {
  const name = names.get(id);
  if (name === undefined) throw new RangeError(`not an id from idOf: ${id}`);
  return name;
}

function spell(name: string): Uuid {
  const hex = [...name].map((character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  if (hex.length > 24) throw new RangeError(`the name is too long for an id: ${name}`);
  const digits = hex.padEnd(32, '0');
  return [8, 4, 4, 4, 12]
    .reduce<{ at: number; parts: string[] }>(
      ({ at, parts }, length) => ({ at: at + length, parts: [...parts, digits.slice(at, at + length)] }),
      { at: 0, parts: [] },
    )
    .parts.join('-') as Uuid;
}
