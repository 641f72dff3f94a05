import { Invalid } from '#kernel/errors';
import { isPermission, isScope, UnknownPermission, type Permission, type Scope } from '#libs/panel-auth';
import type { Options } from './command-line.js';
import { text } from './option-values.js';

/** Comma-separated permission names; null when the option is absent. @throws UnknownPermission */
export function permissionsOption(options: Options, name: string): Permission[] | null {
  return names(options, name, isPermission);
}

/** The same with the wildcards of resources, `services:*`. */
export function scopesOption(options: Options, name: string): Scope[] | null {
  return names(options, name, isScope);
}

/** A positive number of requests a minute. @throws Invalid naming the option */
export function rpmOption(options: Options, name: string, option: string): number {
  const given = options[name];
  const rpm = Number(given);
  if (!Number.isInteger(rpm) || rpm < 1 || rpm > 2_147_483_647)
    throw Invalid.field(option, 'must be a whole number from 1');
  return rpm;
}

/** An instant in RFC 3339; null when the option is absent. */
export function instantOption(options: Options, name: string, option: string): Date | null {
  if (options[name] === undefined) return null;
  const instant = new Date(text(options, name));
  if (Number.isNaN(instant.getTime())) throw Invalid.field(option, 'must be a date and time, 2027-01-01T00:00:00Z');
  return instant;
}

function names<T extends string>(options: Options, name: string, isKnown: (word: string) => word is T): T[] | null {
  if (options[name] === undefined) return null;
  const given = text(options, name)
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const known = given.filter(isKnown);
  if (known.length < given.length) {
    const unknown = given.map((word, index) => ({ index, name: word })).filter((entry) => !isKnown(entry.name));
    throw new UnknownPermission(`--${name}`, unknown);
  }
  return known;
}
