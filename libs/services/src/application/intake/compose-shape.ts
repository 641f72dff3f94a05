import { Ajv, type ErrorObject } from 'ajv';
import { fromPointer } from '#kernel/text/json-pointer';
import type { ComposeFile } from '../../domain/compose/compose-file.js';
import type { ComposeMapping, ComposeValue } from '../../domain/compose/compose-document.js';
import type { Place } from '../../domain/compose/place.js';
import { refusedKey } from '../../domain/compose/refused-keys.js';
import { composeSchema } from '../../domain/compose/schema/compose-schema.js';
import { EXTENSION, key } from '../../domain/compose/schema/schema-parts.js';

const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, verbose: true });
// Always fails, so that ajv reports every extension key; `explain` turns these errors into warnings.
ajv.addKeyword({ keyword: EXTENSION, schemaType: 'boolean', validate: () => false });
/**
 * Several of these keywords can fail for one value (1.5 is not an integer and not a multiple of 1); one is reported.
 */
const OF_ONE_VALUE: ReadonlySet<string> = new Set('type enum pattern maxLength minimum maximum multipleOf'.split(' '));
/** Sections whose keys are names that other parts of the file refer to. */
const SECTIONS: ReadonlySet<string> = new Set(['services', 'networks', 'volumes', 'secrets', 'configs']);
const fits = ajv.compile(composeSchema);

/**
 * Validates a document against the supported subset and reports the errors at `root`. Invalid parts are cut out, so
 * that the policy can check the rest and one response lists all errors.
 * @param document is modified
 */
export function readComposeFile(document: ComposeMapping, root: Place): ComposeFile {
  if (fits(document)) return document;
  const found = mistakes(fits.errors ?? []);
  for (const error of found.filter(({ keyword }) => keyword !== 'uniqueItems')) {
    explain(error, root);
    cut(document, error);
  }
  // Last, so that items that were cut out for another error do not count as repeats.
  for (const { keyword, instancePath, data } of found)
    if (keyword === 'uniqueItems') cutRepeats(data as unknown[], root.at(...fromPointer(instancePath)));
  return document;
}

/** One error per mistake, even if several keywords fail because of it. */
function mistakes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const told = new Set<string>();
  return errors.filter(({ keyword, instancePath, propertyName }) => {
    // `propertyNames` reports invalid names; these errors point at the mapping, which is not the cause.
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
 * Removes a key of a mapping, or sets an item of a list to undefined, so that the positions of the others do not
 * change. Declarations are kept, so that references to them are not reported as well.
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

/** The schema reports only the first pair of equal items. These lists contain only strings and numbers. */
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
