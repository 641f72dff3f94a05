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

describe('the scripts for MongoDB’s shell, made asynchronous by its own rewriter', () => {
  it('exchange the restored collections with the old ones', async () => {
    const shell = aServer();
    await shell.run(scripts.BEGIN_BESIDE);
    expect(shell.parameters.ttlMonitorEnabled).toBe(false);
    await shell.run(scripts.EXCHANGE);
    expect(kept(shell)).toEqual(Object.fromEntries(NEW));
    expect(shell.parameters.ttlMonitorEnabled).toBe(true);
  });

  it('leave either all old or all new collections, at whichever change the connection was lost', async () => {
    const whole = aServer();
    await whole.run(scripts.EXCHANGE);
    const outcomes: string[] = [];
    for (let end = 1; end <= whole.changes; end += 1) {
      const shell = aServer();
      shell.endsAt = end;
      await expect(shell.run(scripts.EXCHANGE)).rejects.toThrow('connection closed');
      // The first attempt to tidy up is interrupted too.
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

  it('remove the collections of a restore that had not begun the exchange', async () => {
    const shell = aServer();
    await shell.run(scripts.TIDY);
    expect(kept(shell)).toEqual(Object.fromEntries(OLD));
  });

  it('remove everything that a failed restore in place has left behind', async () => {
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

  it('switch the removal of expired documents on again only if the server was started with it', async () => {
    const shell = aServer({ ttlMonitorEnabled: 'false' });
    await shell.run(scripts.BEGIN_BESIDE);
    await shell.run(scripts.EXCHANGE);
    expect(shell.parameters.ttlMonitorEnabled).toBe(false);
  });

  it('count restored collections under their final names, and others without those of the panel', async () => {
    const shell = aServer();
    const counted = async (prefix: string) => {
      const answer: unknown = JSON.parse(await shell.run(scripts.COUNT, { PANEL_PREFIX: prefix }));
      return (answer as { name: string; documents: number }[]).map(({ name, documents }) => `${name}: ${documents}`);
    };
    expect(await counted(scripts.RESTORING)).toEqual(['books: 1', 'only.new: 1', 'cheap: 0']);
    expect(await counted('')).toEqual(['books: 1', 'only old: 1', 'cheap: 0', 'lists: 0']);
  });
});
