import { setTimeout as pause } from 'node:timers/promises';
import { noteNames as names, ScratchNotes, values } from '../support/scratch-notes.js';

describe('units of work that share a transaction and say what they do at last', () => {
  const notes = new ScratchNotes();
  const add = (name: string, amount?: number) => notes.add(name, amount);
  const all = <T>(works: readonly (() => Promise<T>)[]) => notes.all(works);
  const bodies = () => notes.bodies();
  const refusal = new Error('too late to undo');
  const lastly = (name: string, amount?: number) => notes.transactions.lastly(() => add(name, amount));

  it('are committed without having seen its answer', async () => {
    const runs: string[] = [];
    const ends = await all(
      names(6).map((name) => async () => {
        runs.push(name);
        await notes.find('seed');
        await lastly(name);
        if (name === 'note 02') throw refusal;
      }),
    );
    expect(values(ends)).toEqual(names(6).map((name) => (name === 'note 02' ? refusal : undefined)));
    expect(await bodies()).toEqual(names(6));
    expect(runs).toEqual(names(6));
  });

  it('run again, each by itself, when it cannot be done', async () => {
    const ends = await all(names(6).map((name, index) => () => lastly(name, index === 2 ? -1 : 1)));
    expect(ends.map(({ status }) => status)).toEqual(
      names(6).map((_, index) => (index === 2 ? 'rejected' : 'fulfilled')),
    );
    expect(await bodies()).toEqual(names(6).filter((_, index) => index !== 2));
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['has written and failed by now', (name) => add(name).then(() => Promise.reject(refusal))],
    [
      'fails while it asks for it',
      (name) => notes.transactions.lastly(() => Promise.all([add(name), Promise.reject(refusal)])),
    ],
    [
      'still works',
      (name) =>
        add(name)
          .then(() => pause(30))
          .then(() => Promise.reject(refusal)),
    ],
  ])('keep nothing of one that %s', async (_, fail) => {
    const ends = await all(
      names(6).map((name, index) => async () => {
        if (index === 2) return fail(name);
        await notes.find('seed');
        await notes.find('seed');
        return lastly(name);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(
      names(6).map((__, index) => (index === 2 ? 'rejected' : 'fulfilled')),
    );
    expect(await bodies()).toEqual(names(6).filter((__, index) => index !== 2));
  });

  it('wait for those that are kept apart from them', async () => {
    const seen: number[] = [];
    const draw = async () => {
      await notes.transactions.apart('till');
      const till = (await notes.find('till')) ?? -1;
      seen.push(till);
      await notes.transactions.lastly(() => notes.putIntoTill(till + 1));
    };
    expect((await all([draw, draw, draw])).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(seen).toEqual([0, 1, 2]);
    expect(await notes.till()).toBe(3);
  });

  it('are whole or not at all when their connection is cut', async () => {
    // Whoever writes the same waits, and the commit behind it.
    await notes.other.query('begin');
    await notes.other.query(`insert into scratch.notes values ('note 01', 0)`);
    const pending = all(names(6).map((name) => () => lastly(name)));
    await pause(40);
    await notes.other.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and application_name = 'test' and datname = current_database()`);
    const ends = await pending;
    await notes.other.query('rollback');
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(1);
    expect(await bodies()).toEqual(names(6).filter((_, index) => ends[index]?.status === 'fulfilled'));
  });
});
