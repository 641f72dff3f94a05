import type { Uuid } from '#kernel/crypto/uuid';
import { Dispatch } from './dispatch.js';
import { DeployQueue } from '../ports/deploy-queue.js';

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}` as Uuid;

/** Answers when it is told to. */
class HeldQueue extends DeployQueue {
  readonly sent: (readonly Uuid[])[] = [];
  readonly answers: ((failed?: Error) => void)[] = [];

  send(ids: readonly Uuid[]): Promise<void> {
    this.sent.push(ids);
    return new Promise((resolve, reject) => this.answers.push((failed) => (failed ? reject(failed) : resolve())));
  }
}

const turn = () => jest.advanceTimersByTimeAsync(110);

describe('what is handed to the queue', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('goes at once when it is alone, and together when the queue is busy', async () => {
    const queue = new HeldQueue();
    const dispatch = new Dispatch(queue);
    dispatch.send(id(1));
    dispatch.send(id(2));
    dispatch.send(id(3));
    expect(queue.sent).toEqual([[id(1)]]);
    queue.answers[0]!();
    await turn();
    expect(queue.sent).toEqual([[id(1)], [id(2), id(3)]]);
    queue.answers[1]!();
    await turn();
    dispatch.send(id(4));
    expect(queue.sent.at(-1)).toEqual([id(4)]);
  });

  it('goes on behind a failure', async () => {
    const queue = new HeldQueue();
    const dispatch = new Dispatch(queue);
    dispatch.send(id(1));
    dispatch.send(id(2));
    queue.answers[0]!(new Error('the queue is away'));
    await turn();
    expect(queue.sent).toEqual([[id(1)], [id(2)]]);
  });

  it('does not pile up behind a queue that never answers', () => {
    const queue = new HeldQueue();
    const dispatch = new Dispatch(queue);
    for (let n = 0; n < 20_000; n += 1) dispatch.send(id(n));
    expect(queue.sent).toHaveLength(1);
    expect(Reflect.get(dispatch, 'waiting')).toHaveLength(10_000);
  });
});
