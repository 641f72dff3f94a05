import { type KeptCollection, MongoShell } from '../../../../../../test/support/databases/mongo-shell.js';
import * as scripts from './scripts.js';

const LISTS = { $lookup: { from: 'only old', localField: 'a.b', foreignField: '_id', as: 'c' } };
const OLD: readonly (readonly [string, KeptCollection])[] = [
  ['books', plain('old')],
  ['only old', plain('old')],
  ['cheap', view([{ $match: { price: 1 } }])],
  ['lists', view([LISTS])],
];
const NEW: readonly (readonly [string, KeptCollection])[] = [
  ['books', plain('new')],
  ['only.new', plain('new')],
  ['cheap', view([{ $match: { price: 2 } }])],
];

function plain(text: string): KeptCollection {
  return { type: 'collection', options: {}, documents: [{ text }] };
}

function view(pipeline: readonly object[]): KeptCollection {
  return { type: 'view', options: { viewOn: 'books', pipeline }, documents: [] };
}

function aServer(started: Readonly<Record<string, string>> = {}): MongoShell {
  const shell = new MongoShell(started);
  for (const [name, kept] of OLD) shell.collections.set(name, kept);
  shell.collections.set('system.views', plain('of the server'));
  for (const [name, kept] of NEW) shell.collections.set(`${scripts.RESTORING}${name}`, kept);
  return shell;
}

function kept({ collections }: MongoShell): object {
  return Object.fromEntries([...collections].filter(([name]) => !name.startsWith('system.')));
}

describe('scripts for the shell of MongoDB, as the shell itself rewrites them', () => {
  it('let the restored collections take the places of the old ones', async () => {
    const shell = aServer();
    await shell.run(scripts.BEGIN_BESIDE);
    expect(shell.parameters.ttlMonitorEnabled).toBe(false);
    await shell.run(scripts.EXCHANGE);
    expect(kept(shell)).toEqual(Object.fromEntries(NEW));
    expect(shell.parameters.ttlMonitorEnabled).toBe(true);
  });

  it('lead back to all of the old or on to all of the new collections, wherever the server ended', async () => {
    const whole = aServer();
    await whole.run(scripts.EXCHANGE);
    const outcomes: string[] = [];
    for (let end = 1; end <= whole.changes; end += 1) {
      const shell = aServer();
      shell.endsAt = end;
      await expect(shell.run(scripts.EXCHANGE)).rejects.toThrow('connection closed');
      // The tidying itself is cut off once, somewhere.
      [shell.changes, shell.endsAt] = [0, (end % 3) + 1];
      await shell.run(scripts.TIDY).catch(() => undefined);
      shell.endsAt = Number.POSITIVE_INFINITY;
      await shell.run(scripts.TIDY);
      const isNew = 'only.new' in kept(shell);
      expect(kept(shell)).toEqual(Object.fromEntries(isNew ? NEW : OLD));
      outcomes.push(isNew ? 'new' : 'old');
    }
    expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
    expect(outcomes.lastIndexOf('old')).toBeLessThan(outcomes.indexOf('new'));
  });

  it('remove what a restore left behind that had not begun to replace anything', async () => {
    const shell = aServer();
    await shell.run(scripts.TIDY);
    expect(kept(shell)).toEqual(Object.fromEntries(OLD));
  });

  it('leave nothing of a restore into an empty database that failed', async () => {
    const shell = new MongoShell();
    shell.collections.set('panel_created', plain('of the template'));
    await shell.run(scripts.BEGIN_IN_PLACE);
    shell.collections.set('heat', { type: 'timeseries', options: { timeseries: {} }, documents: [] });
    await shell.run(scripts.TIDY);
    expect(Object.keys(kept(shell))).toEqual(['panel_created']);
    await shell.run(scripts.BEGIN_IN_PLACE);
    shell.collections.set('heat', { type: 'timeseries', options: { timeseries: {} }, documents: [] });
    await shell.run(scripts.END_IN_PLACE);
    expect(Object.keys(kept(shell))).toEqual(['panel_created', 'heat']);
  });

  it('delete expired documents again only where the server was started to do so', async () => {
    const shell = aServer({ ttlMonitorEnabled: 'false' });
    await shell.run(scripts.BEGIN_BESIDE);
    await shell.run(scripts.EXCHANGE);
    expect(shell.parameters.ttlMonitorEnabled).toBe(false);
  });

  it('count what is restored by the names that it will have, and the own collections without those of the panel', async () => {
    const shell = aServer();
    const counted = async (prefix: string) => {
      const answer: unknown = JSON.parse(await shell.run(scripts.COUNT, { PANEL_PREFIX: prefix }));
      return (answer as { name: string; documents: number }[]).map(({ name, documents }) => `${name}: ${documents}`);
    };
    expect(await counted(scripts.RESTORING)).toEqual(['books: 1', 'only.new: 1', 'cheap: 0']);
    expect(await counted('')).toEqual(['books: 1', 'only old: 1', 'cheap: 0', 'lists: 0']);
  });
});
