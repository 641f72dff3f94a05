import { createReadStream } from 'node:fs';
import { pack } from 'tar-stream';
import { describeWithEngine } from '../docker/engine.js';
import { type EngineAnswer, engineRequest } from '../docker/engine-http.js';
import { tagImage } from '../docker/images.js';
import { type DatabaseImage, DATABASE_RECIPES } from './database-recipes.js';
import { databaseRoot, missingTool, rootHash } from './database-root.js';

const MAKING_MS = 300_000;

export interface DatabaseImageOptions {
  /** Additional instructions, such as `ENV TEST_INIT_DELAY=3`. */
  readonly instructions?: readonly string[];
}

/**
 * Gives the engine an image of a real database server under `reference`, a name with a tag. The first time on a machine
 * takes half a minute. The engine keeps the image under a name of its own, so later times take no time.
 */
export async function makeDatabaseImage(
  name: DatabaseImage,
  reference: string,
  { instructions = [] }: DatabaseImageOptions = {},
): Promise<void> {
  const kept = `tenantry-tests/${name}:${rootHash(name)}`;
  if ((await engineRequest('GET', `/images/${kept}/json`)).status !== 200) await importRoot(name, kept);
  if (instructions.length === 0) return tagImage(kept, reference);
  const files = pack();
  files.entry({ name: 'Dockerfile' }, [`FROM ${kept}`, ...instructions, ''].join('\n'));
  files.finalize();
  const query = new URLSearchParams({ t: reference, rm: '1', forcerm: '1' });
  assertDone(
    reference,
    await engineRequest('POST', `/build?${query.toString()}`, { body: files, timeoutMs: MAKING_MS }),
  );
}

async function importRoot(name: DatabaseImage, reference: string): Promise<void> {
  const [repo = '', tag = ''] = reference.split(':');
  const query = new URLSearchParams({ fromSrc: '-', repo, tag });
  for (const change of DATABASE_RECIPES[name].instructions) query.append('changes', change);
  const body = createReadStream(await databaseRoot(name));
  assertDone(
    reference,
    await engineRequest('POST', `/images/create?${query.toString()}`, { body, timeoutMs: MAKING_MS }),
  );
}

function assertDone(reference: string, { status, text }: EngineAnswer): void {
  if (status !== 200 || text.includes('"error"')) throw new Error(`${reference} could not be made: ${text}`);
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
