import { Ajv, type ErrorObject } from 'ajv';
import { fromPointer } from '#kernel/text/json-pointer';
import type { ComposeFile } from '../../domain/compose/compose-file.js';
import type { ComposeMapping, ComposeValue } from '../../domain/compose/compose-document.js';
import type { Place } from '../../domain/compose/place.js';
import { refusedKey } from '../../domain/compose/refused-keys.js';
import { composeSchema } from '../../domain/compose/schema/compose-schema.js';
import { EXTENSION, key } from '../../domain/compose/schema/schema-parts.js';

const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, verbose: true });
// Fails on purpose, so that every extension key is found; `explain` turns the failure into a warning.
ajv.addKeyword({ keyword: EXTENSION, schemaType: 'boolean', validate: () => false });
/** Of these several can fail at one value, all with the sentence of its shape: 1.5 is no integer, and no multiple of 1. */
const OF_ONE_VALUE: ReadonlySet<string> = new Set('type enum pattern maxLength minimum maximum multipleOf'.split(' '));
/** Whose keys are names that other parts of the file refer to. */
const SECTIONS: ReadonlySet<string> = new Set(['services', 'networks', 'volumes', 'secrets', 'configs']);
const fits = ajv.compile(composeSchema);

/**
 * Checks a document against the subset and says at `root` what does not fit. What does not fit is cut out of the
 * result, so that the policy can go on with the rest and one answer names everything.
 * @param document is changed
 */
export function readComposeFile(document: ComposeMapping, root: Place): ComposeFile {
  if (fits(document)) return document;
  const found = mistakes(fits.errors ?? []);
  for (const error of found.filter(({ keyword }) => keyword !== 'uniqueItems')) {
    explain(error, root);
    cut(document, error);
  }
  // Last, so that an item that was cut out for its own sake is no repeat of another.
  for (const { keyword, instancePath, data } of found)
    if (keyword === 'uniqueItems') cutRepeats(data as unknown[], root.at(...fromPointer(instancePath)));
  return document;
}

/** Each mistake once, however many keywords fail because of it. */
function mistakes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const told = new Set<string>();
  return errors.filter(({ keyword, instancePath, propertyName }) => {
    // Why a name fails is reported by `propertyNames`; these errors stand at the mapping, which is not at fault.
    if (propertyName !== undefined && keyword !== 'propertyNames') return false;
    if (!OF_ONE_VALUE.has(keyword)) return true;
    const isFirst = !told.has(instancePath);
    told.add(instancePath);
    return isFirst;
  });
}

function explain(error: ErrorObject, root: Place): void {
  const at = root.at(...fromPointer(error.instancePath));
  switch (error.keyword) {
    case EXTENSION:
      return at.warn('extension_ignored', 'Extension keys are ignored.');
    case 'additionalProperties':
      return unknownKey(error, at);
    case 'required':
      at.at(String(error.params.missingProperty)).refuse('It is required.');
      return;
    case 'propertyNames':
      at.at(String(error.params.propertyName)).refuse(`The key must be ${String(key.description)}.`);
      return;
    case 'minProperties':
      at.refuse('It must not be empty.');
      return;
    default: {
      const description: unknown = error.parentSchema?.description;
      at.refuse(
        typeof description === 'string' ? `It must be ${description}.` : `It ${error.message ?? 'does not fit'}.`,
      );
    }
  }
}

function unknownKey(error: ErrorObject, mapping: Place): void {
  const name = String(error.params.additionalProperty);
  const at = mapping.at(name);
  const refused = refusedKey(error.instancePath, name);
  if (refused === null) at.refuse('This is not a Compose key.', 'unknown_key');
  else if (refused.kind === 'forbidden') at.forbid(refused.reason);
  else at.refuse(`The panel does not support this. ${refused.reason}`, 'unsupported_key');
}

/**
 * A key of a mapping is removed, an item of a list becomes undefined: the places of the others stay as they were. What
 * is declared stays declared, so that those who refer to it are not refused as well.
 */
function cut(document: ComposeMapping, error: ErrorObject): void {
  const path = fromPointer(error.instancePath);
  if (error.keyword === 'required') return;
  if (error.keyword === 'propertyNames' && isSection(path)) return;
  const name: unknown = error.params.additionalProperty ?? error.params.propertyName;
  if (typeof name === 'string') path.push(name);
  const isDeclared = isSection(path.slice(0, -1));
  const last = path.pop();
  if (last === undefined) return;
  const holder = path.reduce<ComposeValue | undefined>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as ComposeMapping)[name] : undefined),
    document,
  );
  if (Array.isArray(holder)) (holder as unknown[])[Number(last)] = undefined;
  else if (typeof holder === 'object' && holder !== null && isDeclared) (holder as Record<string, unknown>)[last] = {};
  else if (typeof holder === 'object' && holder !== null) delete (holder as Record<string, unknown>)[last];
}

/** The schema finds one pair of equals and stops. Its lists without repeats hold texts and numbers alone. */
function cutRepeats(list: unknown[], place: Place): void {
  const seen = new Set<unknown>();
  for (const [index, item] of list.entries()) {
    if (item === undefined) continue;
    if (seen.has(item)) {
      place.at(index).refuse('It appears twice.');
      list[index] = undefined;
    }
    seen.add(item);
  }
}

function isSection(path: readonly string[]): boolean {
  return path.length === 1 && SECTIONS.has(path[0] ?? '');
}
