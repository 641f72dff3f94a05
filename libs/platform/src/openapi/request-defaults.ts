import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

type Node = Record<string, unknown>;

/**
 * Removes `default` from request bodies and states it in the description: generators make a field with a default
 * required.
 */
export function describeRequestDefaults(document: OpenAPIObject): void {
  const schemas: Readonly<Record<string, unknown>> = document.components?.schemas ?? {};
  const seen = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object' || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) return node.forEach(visit);
    const schema = node as Node;
    const { $ref: reference } = schema;
    if (typeof reference === 'string') visit(schemas[reference.split('/').at(-1) ?? '']);
    if ('default' in schema && !('properties' in schema && isSchema(schema.default))) word(schema);
    Object.values(schema).forEach(visit);
  };
  for (const { operation } of operationsOf(document)) visit(operation.requestBody);
}

/** A property that is called `default` is not a default. */
const isSchema = (value: unknown): boolean => value !== null && typeof value === 'object' && 'type' in value;

function word(schema: Node): void {
  const { default: value, description } = schema;
  delete schema.default;
  const text = value === '' ? 'Defaults to empty.' : `Defaults to \`${String(value)}\`.`;
  schema.description = [description, text].filter(Boolean).join(' ');
}
