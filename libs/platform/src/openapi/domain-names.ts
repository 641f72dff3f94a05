import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Names types in clients after the domain, not after our classes: `Customer`, not `CustomerDto`. If an enum already has
 * that name, the object becomes a `…Record`; `@ApiSchema({ name })` gives it a better one.
 */
export function useDomainNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const plain = new Map(Object.keys(schemas).map((name) => [name, plainName(name, schemas)]));
  const renamed = Object.entries(schemas).map(([name, schema]) => [plain.get(name) ?? name, schema] as const);
  const named = { ...document, components: { ...document.components, schemas: Object.fromEntries<unknown>(renamed) } };
  const text = JSON.stringify(named).replace(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${plain.get(name) ?? name}"`,
  );
  return JSON.parse(text) as OpenAPIObject;
}

function plainName(name: string, schemas: Readonly<Record<string, unknown>>): string {
  if (!name.endsWith('Dto')) return name;
  const plain = name.slice(0, -'Dto'.length);
  return plain in schemas ? `${plain}Record` : plain;
}
