import { setImmediate as nextTurn } from 'node:timers/promises';
import { IdleStorage } from './idle-storage.js';

describe('IdleStorage', () => {
  const storage = new IdleStorage<string>();
  const seenLater = async () => {
    await nextTurn();
    return storage.current;
  };

  it('gives each of two who run at the same time their own', async () => {
    const both = [storage.run('one', seenLater), storage.run('other', seenLater)];
    expect(storage.current).toBeUndefined();
    expect(await Promise.all(both)).toEqual(['one', 'other']);
  });

  it('keeps what is inside for whoever still runs when another ends', async () => {
    const long = storage.run('long', async () => {
      await storage.run('short', seenLater);
      return seenLater();
    });
    expect(await long).toBe('long');
  });

  it('works again after it was idle', async () => {
    for (const store of ['first', 'second']) expect(await storage.run(store, seenLater)).toBe(store);
  });

  it.each([
    ['ended', () => Promise.resolve()],
    ['rejected', () => Promise.reject(new Error('no'))],
    [
      'thrown',
      () => {
        throw new Error('no');
      },
    ],
  ])('is off once the last has %s', async (_, end) => {
    let left: Promise<string | undefined> | undefined;
    const leave = () => {
      left = seenLater();
      return end();
    };
    await storage.run('gone', leave).catch(() => undefined);
    // Were it on, what was begun inside would still see what it began with.
    expect(await left).toBeUndefined();
  });
});
