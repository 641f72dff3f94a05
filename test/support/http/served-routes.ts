import type { INestApplication } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';

/** The access policy that each route of a running API declares, by controller and method. */
export function declaredPolicies<Policy>(app: INestApplication): [string, Policy][] {
  const discovery = app.get(DiscoveryService, { strict: false });
  const scanner = app.get(MetadataScanner, { strict: false });
  return discovery.getControllers().flatMap(({ metatype }) => {
    const prototype = (metatype as { prototype: Record<string, object> }).prototype;
    return scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]!))
      .map((name): [string, Policy] => [
        `${metatype!.name}.${name}`,
        Reflect.getMetadata(ROUTE_POLICY, prototype[name]!) as Policy,
      ]);
  });
}

/** All routes in the router, in the form `GET /v1/tokens/{tokenId}`, without HEAD and OPTIONS. */
export function* servedRoutes(app: INestApplication): Generator<string> {
  const fastify = app.getHttpAdapter().getInstance() as { printRoutes(options: object): string };
  const stack: string[] = [];
  for (const line of fastify.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^((?:[│ ] {3})*)(?:[├└]── )(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) continue;
    const depth = match[1]!.length / 4;
    stack.length = depth;
    stack.push(match[2]!);
    const path = stack.join('').replace(/:([A-Za-z]+)/g, '{$1}') || '/';
    for (const method of match[3]?.split(', ') ?? []) {
      if (method !== 'HEAD' && method !== 'OPTIONS') yield `${method} ${path}`;
    }
  }
}

/** The fields of the schemas that have no type or no example. */
export function silentFields(schemas: Record<string, object>): string[] {
  const silent: string[] = [];
  for (const [schema, definition] of Object.entries(schemas)) {
    const properties = (definition as { properties?: Record<string, Record<string, unknown>> }).properties ?? {};
    for (const [field, property] of Object.entries(properties)) {
      if ('$ref' in property || 'allOf' in property) continue;
      if (!property['type']) silent.push(`${schema}.${field} has no type`);
      const nested = property['type'] === 'array' || property['type'] === 'object';
      if (!nested && property['example'] === undefined) silent.push(`${schema}.${field} has no example`);
    }
  }
  return silent;
}
