import {
  anyText,
  either,
  EXTENSION,
  type JsonSchema,
  mappingOf,
  namedBy,
  nothing,
  pairs,
  truth,
} from './schema-parts.js';
import { serviceSchema } from './service-schema.js';

const optional = (shape: JsonSchema): JsonSchema => either('a mapping or null', shape, nothing);
const inlineFile = namedBy(mappingOf({ content: anyText }, ['content']));

/** The value of `x-panel`. All other extension keys of a network are ignored with a warning. */
const ofPanel: JsonSchema = { enum: ['organisation'], description: 'organisation' };
const networkSchema: JsonSchema = {
  ...mappingOf({ driver: anyText, internal: truth, labels: pairs, 'x-panel': ofPanel }),
  patternProperties: { '^x-(?!panel$)': { [EXTENSION]: true } },
};

const sections: Record<string, JsonSchema> = {
  version: either('a string or a number', anyText, { type: 'number' }),
  services: { ...namedBy(serviceSchema), minProperties: 1 },
  networks: namedBy(optional(networkSchema)),
  volumes: namedBy(optional(mappingOf({ driver: anyText, labels: pairs, 'x-shared': truth }))),
  secrets: inlineFile,
  configs: inlineFile,
};

/**
 * The subset of Compose that the panel supports, as a JSON schema. It is an allow list: `additionalProperties` is false
 * in every mapping, so a key that is not named here cannot reach the engine.
 */
export const composeSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Compose subset of the panel',
  ...mappingOf(sections, ['services']),
};

export const TOP_LEVEL_KEYS: ReadonlySet<string> = new Set(Object.keys(sections));
