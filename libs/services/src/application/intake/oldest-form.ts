import { type ComposeMapping, isMapping } from '../../domain/compose/compose-document.js';
import { TOP_LEVEL_KEYS } from '../../domain/compose/schema/compose-schema.js';
import { refusedKey } from '../../domain/compose/refused-keys.js';

/** Keys that only a service has. They distinguish the oldest format from a misspelt `services`. */
const MARKS = ['image', 'build', 'extends'];

/**
 * Converts a file of the oldest format, with services at the top level, by moving them under `services`. Null for any
 * other file. Such a file is refused anyway, but this way all errors in its services are reported too.
 */
export function fromOldestForm(root: ComposeMapping): ComposeMapping | null {
  if (root.services !== undefined) return null;
  const services: [string, ComposeMapping][] = [];
  const rest: [string, ComposeMapping[string]][] = [];
  for (const [key, value] of Object.entries(root)) {
    const isKnown = TOP_LEVEL_KEYS.has(key) || key.startsWith('x-') || refusedKey('', key) !== null;
    if (isMapping(value) && !isKnown) services.push([key, value]);
    else rest.push([key, value]);
  }
  if (!services.some(([, service]) => MARKS.some((mark) => Object.hasOwn(service, mark)))) return null;
  return { ...Object.fromEntries(rest), services: Object.fromEntries(services) };
}
