import type { OpenAPIObject } from '@nestjs/swagger';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Response = NonNullable<NonNullable<Operation['responses']>[string]>;

export function operationsOf(document: OpenAPIObject): { path: string; method: string; operation: Operation }[] {
  const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}
