import type { Uuid } from '#kernel/crypto/uuid';
import { KeyedMutex } from './keyed-mutex.js';

const A = '00000000-0000-4000-8000-00000000000a' as Uuid;
const B = '00000000-0000-4000-8000-00000000000b' as Uuid;

describe('KeyedMutex', () => {
  it('runs work on one license in order, and work on another license at the same time', async () => {
    const turns = new KeyedMutex();
    const log: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = turns.take(A, async () => {
      await gate;
      log.push('first');
    });
    const second = turns.take(A, () => Promise.resolve(log.push('second')));
    await turns.take(B, () => Promise.resolve(log.push('other')));
    open();
    await Promise.all([first, second]);
    expect(log).toEqual(['other', 'first', 'second']);
  });

  it('rejects for the caller whose work failed, and continues with the next', async () => {
    const turns = new KeyedMutex();
    const failed = turns.take(A, () => Promise.reject(new Error('broken')));
    const next = turns.take(A, () => Promise.resolve('fine'));
    await expect(failed).rejects.toThrow('broken');
    await expect(next).resolves.toBe('fine');
  });
});
