import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { GROUPS } from '../../apps/cli/src/groups.js';
import { staffCli } from '../support/processes/staff-cli.js';

const ID = randomUUID();
const CONTRACT = {
  '--partner': ID,
  '--reference': 'Paper 8',
  '--model': 'flat_unlimited',
  '--currency': 'EUR',
  '--unit-price-cents': '0',
  '--valid-from': '2026-01-01',
};
const KEY = { '--user': 'ada@example.com', '--name': 'ci' };
const MEMBER = { '--user': 'ada@example.com', '--org': ID };
const CLOSE = { '--period': '2026-06', '--by': 'Ada' };

/** Right options with one wrong value among them: the last one. */
const WRONG_VALUES: [command: string, options: Record<string, string>][] = [
  ['partners create', { '--name': 'x', '--type': 'king' }],
  ['partners create', { '--type': 'hoster', '--name': ' ' }],
  ['partners create', { '--name': 'x', '--type': 'hoster', '--parent': 'nobody' }],
  [`partners move ${ID}`, { '--parent': 'nobody' }],
  ...Object.entries({
    '--partner': 'x',
    '--model': 'gift',
    '--currency': 'euro',
    '--unit-price-cents': '12.5',
    '--valid-from': '2026-02-30',
    '--valid-to': 'never',
    '--license-cap': 'many',
    '--pack-size': '-1',
  }).map(([name, value]): [string, Record<string, string>] => {
    const { [name as keyof typeof CONTRACT]: _, ...others } = CONTRACT;
    return ['contracts create', { ...others, [name]: value }];
  }),
  ['contracts list', { '--partner': 'x' }],
  [`contracts end ${ID}`, { '--valid-to': 'never' }],
  ['tokens create', { '--partner': ID, '--label': 'x', '--scope': 'admin' }],
  ['tokens create', { '--partner': ID, '--scope': 'read', '--label': '' }],
  ['tokens list', { '--partner': 'x' }],
  ['usage recompute', { '--period': '2026-13' }],
  ['usage recompute', { '--period': '2026-06', '--partner': 'x' }],
  ['statements list', { '--period': 'June' }],
  ['statements list', { '--partner': 'x' }],
  ['statements review', { '--by': 'Ada', '--period': '2026' }],
  ['statements review', { '--period': '2026-06', '--by': ' ' }],
  ['statements review', { ...CLOSE, '--partner': 'x' }],
  ['statements finalize', { '--by': 'Ada', '--period': '2026-00' }],
  ['statements finalize', { ...CLOSE, '--partner': 'x' }],
  [`statements correct ${ID}`, { '--by': 'Ada', '--reason': '' }],
  ['ledger verify', { '--license': 'x' }],
  ['users create', { '--role': 'admin', '--email': 'nobody' }],
  ['users create', { '--email': 'a@b.c', '--role': 'owner' }],
  ...['users disable', 'users set-password', 'users sign-in-token', 'keys list', `keys revoke ${ID}`].map(
    (command): [string, Record<string, string>] => [command, { '--user': 'nobody' }],
  ),
  ['orgs create', { '--name': '' }],
  ['orgs create', { '--name': 'x', '--parent': 'x' }],
  [`orgs quota ${ID}`, { '--services': 'few' }],
  [`orgs quota ${ID}`, { '--services': '1', '--cpu-cores': '-1' }],
  ['members add', { ...MEMBER, '--role': 'owner' }],
  ['members add', { ...MEMBER, '--role': 'customer', '--permissions': 'everything' }],
  ['members add', { '--user': 'ada@example.com', '--role': 'customer', '--org': 'x' }],
  ['members remove', { '--user': 'ada@example.com', '--org': 'x' }],
  ['members list', { '--org': 'x' }],
  ['keys create', { ...KEY, '--role': 'owner' }],
  ['keys create', { ...KEY, '--org': 'x' }],
  ['keys create', { ...KEY, '--rate-limit-rpm': '0' }],
  ['keys create', { ...KEY, '--scopes': 'services:fly' }],
  ['keys create', { ...KEY, '--deny': 'everything' }],
  ['keys create', { ...KEY, '--expires-at': 'tomorrow' }],
  ['services reconcile', { '--service': 'x' }],
];

/** Arguments that name a record. */
const WRONG_IDS = [
  ...['partners move x --parent y', 'contracts end x --valid-to 2026-12-31', 'tokens revoke x', 'statements show x'],
  ...['statements correct x --by Ada --reason late', 'orgs quota x', 'keys revoke x --user ada@example.com'],
];

/** Finds nothing and is asked for nothing: what is told was seen in the words alone. */
const nothing = (): unknown => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => nothing()) });
const application = { get: nothing } as unknown as INestApplicationContext;

describe('words that a staff command cannot understand', () => {
  const run = (args: readonly string[]) => staffCli({}, args, '', undefined, application);

  it.each(WRONG_VALUES)('end %s with exit code 2, naming the option: %j', async (command, options) => {
    const args = [...command.split(' '), ...Object.entries(options).flat()];
    const name = Object.keys(options).at(-1);
    const { code, json, err } = await run([...args, '--json']);
    expect([code, err, json]).toEqual([2, '', { error: { code: slugOf(name), message: expect.any(String) } }]);
    expect(json.error.message).toContain(name);
    const shown = await run(args);
    expect([shown.code, shown.out, shown.err]).toEqual([2, '', `${json.error.message}\n`]);
  });

  it.each(WRONG_IDS)('end `%s` with exit code 2', async (line) => {
    const { code, json } = await run([...line.split(' '), '--json']);
    expect([code, json.error.code]).toEqual([2, 'validation']);
  });

  it('end every command that lacks what it requires, in one JSON document with --json', async () => {
    const lacking = (await commands()).filter(({ command }) => requires(command));
    expect(lacking.length).toBeGreaterThan(20);
    for (const { words } of lacking) {
      const { code, json, err } = await run([...words, '--json']);
      const message = expect.stringMatching(/^(required option|missing required argument) /);
      expect([words, code, err, json]).toEqual([words, 2, '', { error: { code: 'wrong-usage', message } }]);
    }
  });

  it('end every command that is given an option which nobody knows', async () => {
    for (const { words } of (await commands()).filter(({ command }) => !requires(command))) {
      const { code, json } = await run([...words, '--nonsense', '--json']);
      expect([words, code, json.error.code]).toEqual([words, 2, 'wrong-usage']);
      expect(json.error.message).toContain("'--nonsense'");
    }
  });

  it.each([[['--json']], [['partners', '--json']], [['nonsense', '--json']], [['partners', 'list', 'x', '--json']]])(
    'are told in JSON: %j',
    async (args) => {
      const { code, json, err } = await run(args);
      expect([code, err, json]).toEqual([2, '', { error: { code: 'wrong-usage', message: expect.any(String) } }]);
      expect(json.error.message).not.toMatch(/^error: |outputHelp/);
    },
  );
});

const slugOf = (option = '') =>
  ['--scopes', '--deny', '--permissions'].includes(option) ? 'unknown_permission' : 'validation';

const requires = (command: Command) =>
  command.options.some(({ mandatory }) => mandatory) || command.registeredArguments.some(({ required }) => required);

/** Every command that does something, with the words that lead to it. */
async function commands(): Promise<{ words: string[]; command: Command }[]> {
  const terminal = { env: {}, out: process.stdout, err: process.stderr, input: process.stdin };
  const groups = await Promise.all(Object.values(GROUPS).map(({ load }) => load(terminal, () => undefined)));
  const below = (command: Command, words: string[]): { words: string[]; command: Command }[] =>
    command.commands.length === 0
      ? [{ words, command }]
      : command.commands.flatMap((child) => below(child, [...words, child.name()]));
  return groups.flatMap((group) => below(group, [group.name()]));
}
