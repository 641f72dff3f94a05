/**
 * Runs the planner on a folder of compose files, after `npm run build`:
 *
 *   node tools/compose-corpus.mjs FOLDER [NAME=value ...]
 *
 * Every file must be planned or refused within 300 ms, and every place of a refusal must be in the file, or be the
 * missing key of a mapping that is. Of an accepted file every key is left out once: where that neither changes the plan
 * nor is met by a warning, the key was either what the panel does anyway or dropped in silence, and a person decides.
 * One line for each file, then the sums. Exit code 1 when a file fails.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';

const MAX_MS = 300;
const SERVICES = new URL('../dist/libs/services/src/', import.meta.url);
const { ComposePlanner, planDocument } = await import(new URL('application/intake/compose-planner.js', SERVICES));
const { WorkerComposeParser } = await import(new URL('infrastructure/compose/worker-compose-parser.js', SERVICES));

const [folder, ...assignments] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node tools/compose-corpus.mjs FOLDER [NAME=value ...]');
const context = {
  serviceId: 'corpus',
  organisationNetwork: { name: 'organisation_corpus', owner: 'corpus' },
  resourceLimits: { cpuCores: 16, memoryMb: 16_384, diskMb: 10_240 },
  variables: new Map(assignments.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)])),
  portsAllowed: true,
  portBindAddress: '127.0.0.1',
  reservedPorts: new Set(),
  allowedRegistries: new Set(),
};
const parser = new WorkerComposeParser();
const planner = new ComposePlanner(parser);
const sums = { files: 0, accepted: 0, refused: 0, places: 0, 'keys without effect': 0, failed: 0 };

/** The plan, or the errors in the file. Anything else is a bug of the planner. */
async function outcome(source) {
  const began = performance.now();
  try {
    return { plan: await planner.plan(source, context), ms: performance.now() - began };
  } catch (error) {
    if (!Array.isArray(error.violations)) throw error;
    return { violations: error.violations, ms: performance.now() - began };
  }
}

const keysOf = (pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
const isHolder = (value) => typeof value === 'object' && value !== null;
const has = (holder, key) => isHolder(holder) && Object.hasOwn(holder, key);

/** With another reader than the planner's own. */
function isInFile({ path: pointer, message }, document) {
  const keys = keysOf(pointer);
  const last = keys.pop();
  if (last === undefined) return true;
  const holder = keys.reduce((value, key) => (has(value, key) ? value[key] : undefined), document);
  return has(holder, last) || (message.startsWith('It is required') && holder !== undefined);
}

function* keysBelow(value, keys = []) {
  if (!isHolder(value)) return;
  for (const key of Object.keys(value)) {
    yield [...keys, key];
    yield* keysBelow(value[key], [...keys, key]);
  }
}

function without(document, keys) {
  const copy = structuredClone(document);
  const holder = keys.slice(0, -1).reduce((value, key) => value[key], copy);
  if (Array.isArray(holder)) holder.splice(Number(keys.at(-1)), 1);
  else delete holder[keys.at(-1)];
  return copy;
}

const withoutWarnings = ({ warnings, ...plan }) => plan;
const pointerTo = (keys) => keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Keys of an accepted file that neither change the plan nor cause a warning at them, above or below. */
function keysWithoutEffect({ root }, plan) {
  // A service that its profiles exclude has one warning for the whole service, at its profiles.
  const warned = plan.warnings.map(({ path: pointer, code }) =>
    code === 'profile_excluded' ? pointer.replace(/profiles$/, '') : `${pointer}/`,
  );
  const isWarned = (pointer) =>
    warned.some((other) => other.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(other));
  return [...keysBelow(root)].filter((keys) => {
    if (isWarned(pointerTo(keys))) return false;
    try {
      const other = planDocument({ root: without(root, keys), defects: [] }, context);
      return isDeepStrictEqual(withoutWarnings(other), withoutWarnings(plan));
    } catch (error) {
      if (!Array.isArray(error.violations)) throw error;
      return false;
    }
  });
}

async function check(file) {
  const source = readFileSync(path.join(folder, file));
  const { plan, violations = [], ms } = await outcome(source);
  const problems = ms > MAX_MS ? [`${Math.round(ms)} ms`] : [];
  if (plan) {
    sums.accepted += 1;
    const idle = keysWithoutEffect(await parser.parse(source, context), plan).map(pointerTo);
    sums['keys without effect'] += idle.length;
    return { says: `accepted${idle.length > 0 ? `, without effect: ${idle.join(' ')}` : ''}`, problems };
  }
  sums.refused += 1;
  sums.places += violations.length;
  if (violations.length === 0) problems.push('refused for no place');
  if (!violations.some(({ code, path: pointer }) => code === 'yaml_unreadable' && pointer === '')) {
    const document = parse(source.toString(), { merge: true, uniqueKeys: false, maxAliasCount: -1, logLevel: 'error' });
    problems.push(...violations.filter((place) => !isInFile(place, document)).map(({ path: at }) => `no place ${at}`));
  }
  return { says: `refused at ${violations.map(({ path: pointer }) => pointer).join(' ')}`, problems };
}

await outcome('services: {web: {image: "nginx:1"}}');
for (const file of readdirSync(folder, { recursive: true }).sort()) {
  if (!/\.ya?ml$/.test(file) || !statSync(path.join(folder, file)).isFile()) continue;
  sums.files += 1;
  const { says, problems } = await check(file).catch((error) => ({ says: 'failed', problems: [error.stack] }));
  if (problems.length > 0) sums.failed += 1;
  console.log([file, says, ...problems.map((problem) => `FAILED: ${problem}`)].join('  '));
}
console.log(
  Object.entries(sums)
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
);
await parser.onApplicationShutdown();
process.exitCode = sums.failed > 0 ? 1 : 0;
