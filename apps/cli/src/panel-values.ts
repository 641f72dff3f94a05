import { parseInstant } from '#kernel/time/instant';
import { isEmailAddress, isPermission, isScope, type Permission, type Scope } from '#libs/panel-auth';
import type { Options } from './command-line.js';
import { text } from './option-values.js';
import { WrongUsage } from './wrong-usage.js';

/** The e-mail address that identifies a user. @throws WrongUsage naming the option */
export function emailOption(options: Options, name: string): string {
  const email = text(options, name).trim();
  if (!isEmailAddress(email)) throw WrongUsage.value(`--${name}`, 'must be an e-mail address');
  return email;
}

/** Comma-separated permission names; null if the option is absent. @throws WrongUsage (`unknown_permission`) */
export function permissionsOption(options: Options, name: string): Permission[] | null {
  return names(options, name, isPermission);
}

/** The same, with wildcards such as `services:*`. */
export function scopesOption(options: Options, name: string): Scope[] | null {
  return names(options, name, isScope);
}

/** A positive number of requests per minute. @throws WrongUsage naming the option */
export function rpmOption(options: Options, name: string, option: string): number {
  const given = options[name];
  const rpm = Number(given);
  if (!Number.isInteger(rpm) || rpm < 1 || rpm > 2_147_483_647)
    throw WrongUsage.value(option, 'must be a whole number from 1');
  return rpm;
}

/** An instant in RFC 3339; null if the option is absent. @throws WrongUsage naming the option */
export function instantOption(options: Options, name: string, option: string): Date | null {
  if (options[name] === undefined) return null;
  const instant = parseInstant(text(options, name));
  if (!instant) throw WrongUsage.value(option, 'must be a date and time, 2027-01-01T00:00:00Z');
  return instant;
}

function names<T extends string>(options: Options, name: string, isKnown: (word: string) => word is T): T[] | null {
  if (options[name] === undefined) return null;
  const given = text(options, name)
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const unknown = given.filter((word) => !isKnown(word));
  if (unknown.length > 0)
    throw new WrongUsage('unknown_permission', `--${name} contains unknown permissions: ${unknown.join(', ')}`);
  return given.filter(isKnown);
}
