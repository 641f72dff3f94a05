import type { OpenAPIObject } from '@nestjs/swagger';
import { Controller, Get, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { operationsOf } from '#platform/openapi/operations';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { HttpModule } from '#platform/http/http.module';
import { ROUTE_POLICY } from '#platform/http/routing/route-policy';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { servedRoutes } from '../support/http/served-routes.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

/** The routes of Swagger UI: assets for people, not part of the contract. */
const NOT_IN_THE_DOCUMENT = /^\/docs/;

describe('the routes of the partner API', () => {
  let api: RunningPartnerApi;
  let document: OpenAPIObject;

  beforeAll(async () => {
    api = await startPartnerApi();
    document = api.app.get(OpenApiSource).document();
  });

  afterAll(() => api.close());

  it('are those that the document describes, all of them and no others', () => {
    const served = [...servedRoutes(api.app)].filter((route) => !NOT_IN_THE_DOCUMENT.test(route.split(' ')[1] ?? ''));
    const described = operationsOf(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('declare their errors, an example and a readable operation id', () => {
    const ids = new Set<string>();
    for (const { path, method, operation } of operationsOf(document)) {
      const name = `${method} ${path}`;
      const isPublic = (operation.security ?? []).length === 0;
      const statuses = Object.keys(operation.responses ?? {});
      if (!isPublic) expect([name, statuses]).toEqual([name, expect.arrayContaining(['401', '429', '500'])]);
      if (!isPublic && method !== 'get') expect([name, statuses]).toEqual([name, expect.arrayContaining(['403'])]);
      if (operation.requestBody) {
        expect([name, statuses]).toEqual([name, expect.arrayContaining(['400', '413', '415', '422'])]);
      }
      if (path.includes('{')) expect([name, statuses]).toEqual([name, expect.arrayContaining(['404'])]);
      expect([name, operation.operationId]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z0-9]+$/)]);
      expect([name, operation.summary, operation.description]).toEqual([name, expect.any(String), expect.any(String)]);
      expect(ids.has(operation.operationId!)).toBe(false);
      ids.add(operation.operationId!);
    }
  });

  it('have an example and a type for every field', () => {
    const silent: string[] = [];
    for (const [schema, definition] of Object.entries(document.components?.schemas ?? {})) {
      for (const [field, property] of Object.entries('properties' in definition ? (definition.properties ?? {}) : {})) {
        if ('$ref' in property || 'allOf' in property) continue;
        if (!property.type) silent.push(`${schema}.${field} has no type`);
        const nested = property.type === 'array' || property.type === 'object';
        if (!nested && property.example === undefined) silent.push(`${schema}.${field} has no example`);
      }
    }
    expect(silent).toEqual([]);
  });

  it('declare a scope and whose records they touch', () => {
    const policies = declaredPolicies(api);
    expect(policies.length).toBeGreaterThan(5);
    for (const [route, policy] of policies) {
      const declared =
        policy.public === true ||
        (['read', 'write'].includes(policy.scope!) && ['own', 'subtree'].includes(policy.tenancy!));
      expect([route, declared]).toEqual([route, true]);
    }
  });

  it('do not start when one of them declares no policy', async () => {
    @Controller('open')
    class OpenController {
      @Get()
      get(): string {
        return 'open to all';
      }
    }
    @Module({ imports: [HttpModule], controllers: [OpenController] })
    class ForgetfulModule {}
    const building = Test.createTestingModule({ imports: [ForgetfulModule] }).compile();
    await expect(building.then((module) => module.init())).rejects.toThrow('OpenController.get');
  });
});

interface Policy {
  public?: boolean;
  scope?: string;
  tenancy?: string;
}

function declaredPolicies({ app }: RunningPartnerApi): [string, Policy][] {
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
