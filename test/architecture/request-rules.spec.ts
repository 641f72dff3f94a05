import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { ArgumentMetadata, Type } from '@nestjs/common';
import { ValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import fc from 'fast-check';
import { PlainRules } from '#platform/http/validation/plain-rules';

const root = path.resolve(__dirname, '../../apps');

/** What requests are made of in both APIs: the classes of their DTO files that have rules. */
async function requestClasses(): Promise<Type<object>[]> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(\.dto|http\/page)\.ts$/.test(file),
  );
  const modules = await Promise.all(files.map((file) => import(path.join(root, file)) as Promise<object>));
  const exported = modules.flatMap((module) => Object.values(module) as unknown[]);
  return [...new Set(exported)].filter((value): value is Type<object> => keysOf(value).length > 0);
}

function keysOf(type: unknown): string[] {
  if (typeof type !== 'function') return [];
  const storage = getMetadataStorage();
  return Object.keys(
    storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false, undefined)),
  );
}

/** Values that one rule or another accepts, and such as none does. */
const VALUES: readonly unknown[] = [
  ...['', ' ', 'x', 'a'.repeat(101), 'a\u0000b', '\ud800', 'web-host', 'DE', 'de', 'info@example.com', 'example.com'],
  ...['0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52', '0B0C6E0E-0F5A-4D5B-8F0A-6D8F6C1F9A52', '2026-02-28', '2026-02-30'],
  ...['2026-01', '1', '200', '-1', 'asc', 'active', 'suspended', 'billing', 'true', 'read', 'write', 'correct horse 9'],
  ...['csv', 'always', 0, 1, 7, 256, 1e9, -0.5, true, false, null, undefined, [], ['active'], {}, { toString: 'x' }],
];

/** Bodies of which many pass: most keys get a value that is good for them. */
function bodiesOf(type: Type<object>) {
  const valueOf = (key: string) => {
    const good = VALUES.filter((value) => {
      const errors = validateSync(plainToInstance(type, { [key]: value }), {
        forbidUnknownValues: false,
        stopAtFirstError: true,
      });
      return errors.every(({ property }) => property !== key);
    });
    const any = fc.oneof(fc.constantFrom(...VALUES), fc.string({ maxLength: 12 }));
    if (good.length === 0) return any;
    return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: any });
  };
  const keys = keysOf(type);
  return fc
    .tuple(
      fc.record(Object.fromEntries(keys.map((key) => [key, valueOf(key)]))),
      fc.subarray(keys, { minLength: Math.max(0, keys.length - 3) }),
      fc.boolean(),
    )
    .map(([body, kept, stranger]) => ({
      ...Object.fromEntries(kept.map((key) => [key, body[key]])),
      ...(stranger ? { unknown: { nested: [1] } } : {}),
    }));
}

const library = new ValidationPipe({ whitelist: true, transform: true, stopAtFirstError: true });
const judged = (body: object, metatype: Type<object>) =>
  library.transform(structuredClone(body), { type: 'body', metatype } as ArgumentMetadata).then(
    (value: object) => value,
    () => null,
  );

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

describe('rules that are looked up once', () => {
  it('accept what class-validator accepts, and make the same of it', async () => {
    const classes = await requestClasses();
    const accepting = new Set<string>();
    for (const type of classes) {
      const rules = PlainRules.of(type);
      if (!rules) continue;
      await fc.assert(
        fc.asyncProperty(bodiesOf(type), async (body) => {
          const accepted = rules.accept(body);
          const theirs = await judged(body, type);
          if (accepted) {
            accepting.add(type.name);
            expect(accepted).toStrictEqual(theirs);
          } else if (theirs) expect(keysOf(type).some((key) => isNested(body[key as keyof typeof body]))).toBe(true);
        }),
        { numRuns: 200 },
      );
    }
    const plain = classes.filter((type) => PlainRules.of(type)).map((type) => type.name);
    expect([...accepting].sort()).toEqual(plain.sort());
    expect(plain).toEqual(expect.arrayContaining(['IssueLicenseDto', 'LicenseListQuery', 'CreateCustomerDto']));
  });

  it('leave nested rules to class-validator', async () => {
    const classes = await requestClasses();
    const left = classes.filter((type) => !PlainRules.of(type)).map((type) => type.name);
    expect(left).toContain('CreateServiceDto');
  });
});
