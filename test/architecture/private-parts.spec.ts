import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** What reaches for parts of a dependency that its authors may change with any version. */
const PRIVATE_PARTS = {
  'an import from inside of a dependency':
    /from '(@nestjs\/core\/|pg\/lib\/|pg-pool\/lib|fastify\/lib|typeorm\/(driver|query-runner|query-builder)\/)/,
  'a class of the driver, extended': /\bextends pg\./,
  "a prototype's method, replaced": /\.prototype\.\w+\s*=(?!=)/,
} as const;

/** What was there once: mechanics that use cases had to know. */
const GONE =
  /\b(inUnit|lastly|UnitOfWork|JointQuery|JointReads|passByInterceptors|SelectiveInterceptor|newStaysYoung|SpareReservations|DirectIssue)\b/;

const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file)),
);

const offending = (pattern: RegExp) =>
  sources.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );

describe('the product', () => {
  it.each(Object.entries(PRIVATE_PARTS))('has nowhere %s', (_, pattern) => {
    expect(sources.length).toBeGreaterThan(500);
    expect(offending(pattern)).toEqual([]);
  });

  it('has one transaction model: nothing outside of it is chosen or handed over', () => {
    expect(offending(GONE)).toEqual([]);
  });

  it.each([
    ["import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';", 0],
    ['export class JointQuery extends pg.Query {', 1],
    ['InterceptorsConsumer.prototype.intercept = function (', 2],
  ] as const)('would be told of "%s"', (line, index) => {
    expect(Object.values(PRIVATE_PARTS)[index]?.test(line)).toBe(true);
  });
});
