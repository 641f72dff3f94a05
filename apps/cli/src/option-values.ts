import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { Options } from './command-line.js';
import { kebabCase } from './kebab-case.js';
import { WrongUsage } from './wrong-usage.js';

/** @throws WrongUsage naming the option if its value is not a UUID */
export function uuidOption(options: Options, name: string): Uuid {
  return uuidValue(options[name], `--${name}`);
}

export function optionalUuid(options: Options, name: string): Uuid | null {
  return options[name] === undefined ? null : uuidOption(options, name);
}

export function uuidValue(value: unknown, name: string): Uuid {
  const uuid = parseUuid(value);
  if (!uuid) throw WrongUsage.value(name, 'must be a UUID');
  return uuid;
}

/** One of a fixed set of values. @throws WrongUsage listing them */
export function choice<T extends string>(options: Options, name: string, words: readonly T[]): T {
  const word = words.find((known) => known === options[name]);
  if (!word) throw WrongUsage.value(`--${name}`, `must be one of ${words.join(', ')}`);
  return word;
}

/** @throws WrongUsage if it is blank */
export function text(options: Options, name: string): string {
  return textValue(options[name], `--${kebabCase(name)}`);
}

/** The same for an argument. */
export function textValue(given: unknown, name: string): string {
  const value = String(given);
  if (value.trim() === '') throw WrongUsage.value(name, 'must not be empty');
  return value;
}
