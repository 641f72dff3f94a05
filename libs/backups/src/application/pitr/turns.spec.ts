import { Turns } from './turns.js';

const running = () => new AbortController().signal;

describe('turns', () => {
  it('do not wait for work that hangs, and do not start it twice', async () => {
    const turns = new Turns<string>(2, 50);
    const begun: string[] = [];
    let letGo: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (letGo = resolve));
    const turn = (key: string) => {
      begun.push(key);
      return key === 'hangs' ? hanging : Promise.resolve();
    };
    await turns.round(['hangs', 'a', 'b'], turn, running());
    await turns.round(['hangs', 'a', 'b'], turn, running());
    expect(begun).toEqual(['hangs', 'a', 'b', 'a', 'b']);
    letGo();
    await hanging;
    await new Promise((resolve) => setImmediate(resolve));
    await turns.round(['hangs'], turn, running());
    expect(begun.at(-1)).toBe('hangs');
  });

  it('never exceed the number allowed at once', async () => {
    const turns = new Turns<number>(3, 20);
    let [now, most] = [0, 0];
    const turn = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now -= 1;
    };
    for (let round = 0; round < 3; round++) await turns.round([1, 2, 3, 4, 5, 6, 7, 8], turn, running());
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(most).toBe(3);
  });

  it('are waited for when the process ends', async () => {
    const ends = new AbortController();
    let isDone = false;
    const turn = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      isDone = true;
    };
    setImmediate(() => ends.abort());
    await new Turns<string>(1, 60_000).round(['a'], turn, ends.signal);
    expect(isDone).toBe(true);
  });
});
