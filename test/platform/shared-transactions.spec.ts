import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Conflict, NotFound } from '#kernel/errors';
import { noteNames as names, ScratchNotes, values } from '../support/scratch-notes.js';

describe('units of work that share a transaction', () => {
  const notes = new ScratchNotes();
  const add = (name: string, amount?: number) => notes.add(name, amount);
  const all = <T>(works: readonly (() => Promise<T>)[]) => notes.all(works);
  const bodies = () => notes.bodies();

  it('commit together, each with its own answer', async () => {
    const ends = await all(
      names(20).map((name) => async () => {
        const seed = await notes.find('seed');
        return { seed, own: await notes.find(name), tx: await add(name) };
      }),
    );
    const answers = values(ends) as { seed: number; own: undefined; tx: string }[];
    expect(answers.every(({ seed, own }) => seed === 7 && own === undefined)).toBe(true);
    // Two lanes are free.
    expect(new Set(answers.map(({ tx }) => tx)).size).toBe(2);
    expect(await bodies()).toEqual(names(20));
  });

  it('do not share with one that comes by itself', async () => {
    const first = await notes.transactions.together(() => add('first'));
    const second = await notes.transactions.together(() => add('second'));
    expect(first).not.toBe(second);
  });

  it('write without waiting until the transaction has begun', async () => {
    const runs: string[] = [];
    const ends = await all(
      names(8).map((name) => async () => {
        runs.push(name);
        await notes.transactions.writer.query('insert into scratch.notes values ($1, 1)', [name]);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
    expect(runs).toHaveLength(8);
    expect(await bodies()).toEqual(names(8));
  });

  it('cannot write outside their transaction, should it have ended without them', async () => {
    const runs: string[] = [];
    const ends = await all(
      names(8).map((name) => async () => {
        runs.push(name);
        if (runs.length <= 8) await notes.transactions.reader.query('rollback');
        await notes.transactions.writer.query('insert into scratch.notes values ($1, 1)', [name]);
        if (runs.length <= 8) throw new Error('what was written now would stay');
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
    expect(runs).toHaveLength(16);
    expect(await bodies()).toEqual(names(8));
  });

  it('write nothing any more once one of them has failed', async () => {
    const late: Promise<unknown>[] = [];
    const ends = await all(
      names(6).map((name, index) => async () => {
        await notes.find('seed');
        if (index !== 3) return add(name);
        // When the others are done. The statement would leave at the end of this turn: after the transaction.
        await pause(30);
        late.push(add(name).catch(() => undefined));
        throw new Conflict('refused', 'after it asked for a write');
      }),
    );
    await Promise.all(late);
    expect(ends.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(await bodies()).toEqual(names(6).filter((_, index) => index !== 3));
  });

  it('keep their asynchronous context', async () => {
    const caller = new AsyncLocalStorage<string>();
    const seen = await Promise.all(
      names(10).map((name) =>
        caller.run(name, () =>
          notes.transactions.together(async () => {
            await add(name);
            return caller.getStore();
          }),
        ),
      ),
    );
    expect(seen).toEqual(names(10));
  });

  it('are not undone for one that is refused before it writes', async () => {
    const runs: string[] = [];
    const ends = await all(
      names(6).map((name, index) => async () => {
        runs.push(name);
        const seed = await notes.find('seed');
        if (index === 3) throw new Conflict('refused', `there are ${seed}`);
        return add(name);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(values(ends)[3]).toBeInstanceOf(Conflict);
    expect(await bodies()).toEqual(names(6).filter((_, index) => index !== 3));
    expect(runs).toEqual(names(6));
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    [
      'is refused after it wrote',
      async (name) => {
        await add(name);
        throw new NotFound();
      },
    ],
    ['breaks a constraint', (name) => add(name, -1)],
    [
      'fails and hides it',
      async (name) => {
        await notes.transactions.prepared({ name: 'wrong', text: 'select 1 / $1::int' }, [0]).catch(() => undefined);
        await add(name);
      },
    ],
    ['uses what is not there', (name) => notes.transactions.writer.insert('unknown entity', { name })],
  ])('run again, each by itself, when one %s', async (_, fail) => {
    const runs: string[] = [];
    const ends = await all(
      names(6).map((name, index) => async () => {
        runs.push(name);
        if (index === 2) await fail(name);
        else await add(name);
      }),
    );
    expect(ends.map(({ status }) => status)).toEqual(
      names(6).map((__, index) => (index === 2 ? 'rejected' : 'fulfilled')),
    );
    expect(await bodies()).toEqual(names(6).filter((__, index) => index !== 2));
    // Whoever shared the transaction in which one failed, and nobody a third time.
    const times = names(6).map((name) => runs.filter((run) => run === name).length);
    expect(times[2]).toBe(2);
    expect(times.filter((count) => count > 2)).toEqual([]);
  });

  it('are kept apart by name, as row locks keep transactions apart', async () => {
    const draw = async () => {
      await notes.transactions.apart('till');
      await notes.putIntoTill((await notes.hold('till')) + 1);
    };
    expect((await all(Array.from({ length: 12 }, () => draw))).every(({ status }) => status === 'fulfilled')).toBe(
      true,
    );
    expect(await notes.till()).toBe(12);
  });

  it('do not wait for one that waits for a lock', async () => {
    await notes.other.query('begin');
    await notes.other.query(`select 1 from scratch.notes where body = 'seed' for update`);
    const held = notes.transactions.together(async () => {
      await notes.hold('seed');
      return add('waited');
    });
    const rest = all(names(5).map((name) => () => add(name)));
    expect((await rest).map(({ status }) => status)).toEqual(names(5).map(() => 'fulfilled'));
    expect(await bodies()).toEqual(names(5));
    await notes.other.query('commit');
    await held;
    expect(await bodies()).toContain('waited');
  });

  it('do not keep others waiting whose transactions do not end', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const stuck = [];
    for (const turn of ['one', 'two']) {
      let begun: () => void = () => undefined;
      const started = new Promise<void>((resolve) => (begun = resolve));
      const works = names(3).map((name) => async () => {
        await add(`${name} of ${turn}`);
        begun();
        await gate;
      });
      stuck.push(all(works));
      await started;
    }
    const free = await all(names(4).map((name) => () => add(name)));
    expect(free.every(({ status }) => status === 'fulfilled')).toBe(true);
    release();
    expect((await Promise.all(stuck)).flat().every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('are whole or not at all when their connection is cut', async () => {
    const ends = await all(
      names(6).map((name, index) => async () => {
        await add(name);
        if (index === 4)
          await notes.other.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where state = 'idle in transaction' and application_name = 'test' and datname = current_database()`);
        await add(`${name}, again`);
      }),
    );
    const kept = names(6).filter((_, index) => ends[index]?.status === 'fulfilled');
    expect(await bodies()).toEqual(kept.flatMap((name) => [name, `${name}, again`]).sort());
    expect((await all(names(4).map((name) => () => add(`${name} later`)))).map(({ status }) => status)).toEqual(
      names(4).map(() => 'fulfilled'),
    );
  });

  it('have no savepoints', async () => {
    const attempts = await all(names(3).map((name) => () => notes.transactions.attempt(() => add(name))));
    // Each ran again by itself, where a savepoint is allowed.
    expect(attempts.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await bodies()).toEqual(names(3));
  });
});
