import { type ComposeMapping, isMapping } from '../../domain/compose/compose-document.js';
import { TOP_LEVEL_KEYS } from '../../domain/compose/schema/compose-schema.js';
import { refusedKey } from '../../domain/compose/refused-keys.js';

/** What only a service has: by one of them the oldest form is told from a misspelt `services`. */
const MARKS = ['image', 'build', 'extends'];

/**
 * The same file with its services under `services`, where it has them at its top as the oldest form does; null for any
 * other file. It is refused all the same, but what its services ask for can be told.
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
