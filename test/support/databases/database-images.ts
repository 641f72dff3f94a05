import { createReadStream } from 'node:fs';
import { describeWithEngine } from '../docker/engine.js';
import { engineRequest } from '../docker/engine-http.js';
import { type DatabaseImage, DATABASE_RECIPES } from './database-recipes.js';
import { databaseRoot, missingTool, rootHash } from './database-root.js';

const MAKING_MS = 300_000;

export interface DatabaseImageOptions {
  /** Additional instructions, such as `ENV TEST_INIT_DELAY=3`. */
  readonly instructions?: readonly string[];
}

/**
 * Imports an image of a real database server into the engine under `reference`, a name with a tag. The first time on a
 * machine takes half a minute, later times some seconds.
 */
export async function makeDatabaseImage(
  name: DatabaseImage,
  reference: string,
  { instructions = [] }: DatabaseImageOptions = {},
): Promise<void> {
  const colon = reference.lastIndexOf(':');
  const query = new URLSearchParams({
    fromSrc: '-',
    repo: reference.slice(0, colon),
    tag: reference.slice(colon + 1),
  });
  for (const change of [...DATABASE_RECIPES[name].instructions, ...instructions]) query.append('changes', change);
  const answer = await engineRequest('POST', `/images/create?${query.toString()}`, {
    body: createReadStream(await databaseRoot(name)),
    timeoutMs: MAKING_MS,
  });
  if (answer.status !== 200 || answer.text.includes('"error"'))
    throw new Error(`import of ${reference} (${name}-${rootHash(name)}) failed: ${answer.text}`);
}

/**
 * A `describe` that needs an engine and images of database servers. If the images cannot be made, it is skipped with
 * the reason. With `CI=true` it fails instead.
 */
export function describeWithDatabases(name: string, define: () => void): void {
  const missing = missingTool();
  if (missing === null) {
    describeWithEngine(name, define);
    return;
  }
  if (process.env.CI === 'true' || process.env.REQUIRE_DOCKER === '1') {
    describe(name, () => {
      it('has images of database servers', () => {
        throw new Error(missing);
      });
    });
    return;
  }
  process.stderr.write(`skipped: ${name}: ${missing}\n`);
  describe.skip(name, define);
}

/**
 * A `describe` for a server that is only in Debian unstable, which changes every day. It runs only with
 * `TEST_UNSTABLE_DATABASES=1` and is skipped with a message otherwise.
 */
export function describeWithUnstableDatabases(name: string, define: () => void): void {
  if (process.env.TEST_UNSTABLE_DATABASES === '1') {
    describeWithDatabases(name, define);
    return;
  }
  process.stderr.write(`skipped: ${name}: its server comes from Debian unstable; TEST_UNSTABLE_DATABASES=1 runs it\n`);
  describe.skip(name, define);
}
