import { Invalid } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/uuid';
import type { Options } from './command-line.js';

/** @throws Invalid naming the option when its value is no UUID */
export function uuidOption(options: Options, name: string): Uuid {
  return uuidValue(options[name], `--${name}`);
}

export function optionalUuid(options: Options, name: string): Uuid | null {
  return options[name] === undefined ? null : uuidOption(options, name);
}

export function uuidValue(value: unknown, name: string): Uuid {
  const uuid = parseUuid(value);
  if (!uuid) throw Invalid.field(name, 'must be a UUID');
  return uuid;
}

/** One of a fixed set of words. @throws Invalid listing them */
export function choice<T extends string>(options: Options, name: string, words: readonly T[]): T {
  const word = words.find((known) => known === options[name]);
  if (!word) throw Invalid.field(`--${name}`, `must be one of ${words.join(', ')}`);
  return word;
}

export function text(options: Options, name: string): string {
  return String(options[name]);
}
