import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { ComposePlanner, planDocument } from '../../../libs/services/src/application/intake/compose-planner.js';
import { composeSchema } from '../../../libs/services/src/domain/compose/schema/compose-schema.js';
import { readYaml } from '../../../libs/services/src/infrastructure/compose/read-yaml.js';
import { WorkerComposeParser } from '../../../libs/services/src/infrastructure/compose/worker-compose-parser.js';
import { HOSTILE_FILES, ORDINARY_FILE } from '../../../test/services/compose/hostile-files.js';
import { compare, repeat } from '../../lib/rounds.js';
import type { Row } from '../../lib/row.js';

const FILES = 407;
/** Passes per measurement: a single one ends before the code is warm. */
const PASSES = 5;
const CONTEXT = {
  organisationNetwork: { name: 'organisation_panel', owner: 'panel' },
  serviceId: 'bench',
  resourceLimits: { cpuCores: 16, memoryMb: 16_384, diskMb: 10_240 },
  variables: new Map<string, string>(),
  portsAllowed: true,
  portBindAddress: '127.0.0.1',
  reservedPorts: new Set<number>(),
  allowedRegistries: new Set<string>(),
};

export const planCorpus: Row = {
  number: '22',
  work: `read, check and plan ${FILES} compose files of well-known applications`,
  unit: 'files/s',
  baseline: 'yaml.parse and ajv with the same schema',
  better: 'higher',
  floor: 0.5,
  ambitious: 1,
  run(stage) {
    const files = corpus(stage.options.root);
    const validate = new Ajv({ strict: false, allErrors: true }).compile(composeSchema);
    return compare(
      stage.options.rounds,
      () => perSecond(files, plan),
      () => perSecond(files, (text) => validate(parse(text, { merge: true, maxAliasCount: 100 }))),
    );
  },
};

export const hostileLag: Row = {
  number: '23',
  work: 'hostile YAML: longest lag of the event loop',
  unit: 'ms',
  baseline: 'none',
  better: 'lower',
  floor: 50,
  ambitious: 10,
  async run(stage) {
    const parser = new WorkerComposeParser();
    const planner = new ComposePlanner(parser);
    const refuse = (file: string | Uint8Array) => planner.plan(file, CONTEXT).catch(() => undefined);
    try {
      await Promise.all([refuse(ORDINARY_FILE), refuse(ORDINARY_FILE)]);
      return await repeat(stage.options.rounds, async () => {
        const lag = monitorEventLoopDelay({ resolution: 1 });
        lag.enable();
        for (const file of Object.values(HOSTILE_FILES)) await refuse(file);
        lag.disable();
        return lag.max / 1e6;
      });
    } finally {
      await parser.onApplicationShutdown();
    }
  },
};

/** The files of the tests, repeated until there are enough. */
function corpus(root: string): readonly string[] {
  const folder = path.join(root, 'test/services/compose/corpus');
  const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  return Array.from({ length: FILES }, (_, index) => texts[index % texts.length]!);
}

/** A refused file counts like any other. */
function plan(text: string): void {
  const reading = readYaml(text);
  if (reading.root === null) return;
  try {
    planDocument(reading, CONTEXT);
  } catch {
    return;
  }
}

function perSecond(files: readonly string[], work: (text: string) => unknown): Promise<number> {
  const startedAt = performance.now();
  for (let pass = 0; pass < PASSES; pass += 1) for (const file of files) work(file);
  return Promise.resolve((files.length * PASSES) / ((performance.now() - startedAt) / 1000));
}
