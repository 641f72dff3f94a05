import { spawnSync } from 'node:child_process';
import { eventually } from '../support/docker/eventually.js';
import { commandsInText, documents, fencedBlocks, textOfDocument } from '../support/documents/fenced-blocks.js';
import { staffCli } from '../support/processes/staff-cli.js';
import { cleanEnvironment, launch, type Launched } from './launcher.js';
import { instancePorts } from './ports.js';
import { sandbox, type Sandbox } from './sandbox.js';

const LANGUAGES = ['sh', 'json', 'js', 'ts', 'ini', 'dockerfile', 'text'];
const AFTER = '----- block over -----';
const BLOCK_MS = 120_000;

const blocks = documents().flatMap((file) => fencedBlocks(file));
const commands = blocks.filter(({ language }) => language === 'sh');
const run = commands.filter(({ notRun }) => notRun === null);
for (const { place, notRun } of commands) if (notRun !== null) process.stderr.write(`skipped: ${place}: ${notRun}\n`);

describe('the blocks of README and docs', () => {
  it.each(blocks.map(({ place, language }) => [place, language] as const))('%s names its language', (_, language) => {
    expect(LANGUAGES).toContain(language);
  });

  it('with commands hold nothing that a reader must fill in', () => {
    expect(run.length).toBeGreaterThan(5);
    expect(run.filter(({ text }) => /<[a-z-]+>|…/.test(text)).map(({ place }) => place)).toEqual([]);
  });
});

describe('a command in the text of README and docs', () => {
  const found = documents().flatMap((file) =>
    commandsInText(textOfDocument(file)).map((words) => [words.join(' '), words] as const),
  );
  const unique = [...new Map(found).entries()];

  it.each(unique)('exists, with its options: cli %s', async (_, words) => {
    const name = words.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).slice(0, 2);
    const { code, out: help } = await staffCli({}, [...name, '--help']);
    expect(code).toBe(0);
    expect(help).toContain(`cli ${name.join(' ')} `);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(help).toContain(option);
  });
});

describe('the commands of README and docs', () => {
  let checkout: Sandbox;
  let running: Launched;
  let ports: Record<string, string>;

  beforeAll(async () => {
    checkout = sandbox();
    ports = await instancePorts();
    running = launch(['tools/start.mjs'], { root: checkout.root, settings: ports });
    await running.says('Ctrl-C stops it');
  });

  afterAll(async () => {
    await removeServices();
    await running?.end('SIGINT');
    checkout?.remove();
  }, 60_000);

  /** What the commands have started on the engine of this machine. */
  async function removeServices(): Promise<void> {
    const { panelApi, panelAdminKey } = checkout.demo();
    const ask = (method: string, route: string) =>
      fetch(`${panelApi}/api/v1/services${route}`, { method, headers: { authorization: `Bearer ${panelAdminKey}` } });
    const left = async () => ((await (await ask('GET', '')).json()) as { data: { id: string }[] }).data;
    for (const { id } of await left()) await ask('DELETE', `/${id}`);
    await eventually(left, ({ length }) => length === 0);
  }

  /** One shell for a document, as its reader has. A request that is refused is a failure. @returns what each block printed */
  function outputs(file: string): string[] {
    const texts = run.filter((block) => block.file === file).map(({ text }) => text);
    const script = [
      'set -euo pipefail',
      'curl() { command curl -sS --fail-with-body -w "\\n" "$@"; }',
      'cli() { npm run cli -- "$@"; }',
      ...texts.flatMap((text) => [here(text), `echo; echo '${AFTER}'`]),
    ].join('\n');
    const options = { cwd: checkout.root, env: cleanEnvironment(), encoding: 'utf8', timeout: BLOCK_MS } as const;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], options);
    expect({ status, end: status === 0 ? '' : `${stdout}\n${stderr}` }).toEqual({ status: 0, end: '' });
    return stdout.split(`\n${AFTER}\n`).slice(0, texts.length);
  }

  /** The ports of a start without settings are taken by whoever develops on this machine. */
  const here = (text: string): string =>
    text
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.PARTNER_API_PORT}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports.PANEL_API_PORT}`);

  it.each([...new Set(run.map(({ file }) => file))])(
    'run as they stand, and print what is shown behind them: %s',
    (file) => {
      const printed = outputs(file);
      const own = blocks.filter((block) => block.file === file);
      for (const [index, { place }] of run.filter((block) => block.file === file).entries()) {
        const next = own[own.findIndex((block) => block.place === place) + 1];
        if (next?.language !== 'json' || !isBehind(place, next.place, file)) continue;
        const last = printed[index]!.trim().split('\n').at(-1)!;
        expect(withoutGaps(JSON.parse(last), JSON.parse(next.text))).toEqual(withoutGaps(JSON.parse(next.text), null));
      }
    },
    2 * BLOCK_MS,
  );
});

/** Whether a block begins right behind the other one. */
function isBehind(first: string, second: string, file: string): boolean {
  const [from, to] = [first, second].map((place) => Number(place.split(':').at(-1)));
  const lines = textOfDocument(file)
    .split('\n')
    .slice(from, to! - 1);
  return lines.at(-1) === '```';
}

/** Only the keys that are shown, and `…` for whatever is shown as that. */
function withoutGaps(value: unknown, shown: unknown): unknown {
  if (typeof shown === 'string' && shown.includes('…')) return shown;
  if (typeof value !== 'object' || value === null) return value;
  const known = (shown ?? value) as Record<string, unknown>;
  const entries = Object.entries(value as Record<string, unknown>).filter(([key]) => key in known && key !== '…');
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutGaps(one, shown === null ? null : known[key])]));
}
