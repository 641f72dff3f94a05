import type {
  ContainerLogs,
  LogLine,
  LogRange,
} from '../../libs/services/src/application/ports/engine/container-logs.js';
import { eventually } from '../support/docker/eventually.js';

/** A world in which containers write what they are told to. */
export interface LogBed {
  readonly logs: ContainerLogs;
  /** A container that runs and has written nothing. */
  start(): Promise<string>;
  write(containerId: string, stream: 'stdout' | 'stderr', ...lines: string[]): Promise<void>;
  /** The container's main process ends. */
  end(containerId: string): Promise<void>;
  remove(containerId: string): Promise<void>;
  close(): Promise<void>;
}

const ALL: LogRange = { tail: Infinity, afterMicros: null };

/** What everything must do that calls itself `ContainerLogs`. */
export function itReadsContainerLogs(openBed: () => Promise<LogBed>): void {
  let bed: LogBed;
  let id: string;
  const ends: AbortController[] = [];

  beforeAll(async () => {
    bed = await openBed();
    id = await bed.start();
    await bed.write(id, 'stdout', 'one', 'Grüße 🎉 <b>', '', '\u001b[31mfour');
    await bed.write(id, 'stderr', 'five');
    await eventually(
      () => bed.logs.recent(id, ALL),
      ({ length }) => length === 5,
    );
  }, 60_000);
  afterEach(() => ends.splice(0).forEach((end) => end.abort()));
  afterAll(() => bed?.close());

  const texts = (lines: readonly LogLine[]) => lines.map(({ text }) => text);
  const following = (containerId: string, range: LogRange) => {
    const end = new AbortController();
    ends.push(end);
    const lines: LogLine[] = [];
    const over = (async () => {
      for await (const line of bed.logs.follow(containerId, range, end.signal)) lines.push(line);
    })();
    return { lines, over, end };
  };
  const until = (lines: readonly LogLine[], count: number) =>
    eventually(
      () => Promise.resolve(lines.length),
      (length) => length >= count,
    );

  it('tells what was written, oldest first, with its stream and its time', async () => {
    const lines = await bed.logs.recent(id, ALL);
    expect(texts(lines)).toEqual(['one', 'Grüße 🎉 <b>', '', '\u001b[31mfour', 'five']);
    expect(lines.map(({ stream }) => stream)).toEqual(['stdout', 'stdout', 'stdout', 'stdout', 'stderr']);
    expect(new Set(lines.map(({ containerId }) => containerId))).toEqual(new Set([id]));
    const stamps = lines.map(({ atMicros }) => atMicros);
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
    expect(Math.abs(stamps[0]! / 1000 - Date.now())).toBeLessThan(300_000);
    expect(stamps.every(Number.isSafeInteger)).toBe(true);
  });

  it('tells the newest alone, or those behind a moment', async () => {
    const all = await bed.logs.recent(id, ALL);
    expect(await bed.logs.recent(id, { ...ALL, tail: 2 })).toEqual(all.slice(-2));
    expect(await bed.logs.recent(id, { ...ALL, tail: 0 })).toEqual([]);
    const { atMicros } = all[1]!;
    const behind = all.filter((line) => line.atMicros > atMicros);
    expect(await bed.logs.recent(id, { ...ALL, afterMicros: atMicros })).toEqual(behind);
    const withIt = all.filter((line) => line.atMicros >= atMicros);
    expect(await bed.logs.recent(id, { ...ALL, afterMicros: atMicros - 1 })).toEqual(withIt);
    expect(await bed.logs.recent(id, { ...ALL, afterMicros: all[4]!.atMicros })).toEqual([]);
  });

  it('goes on with what is written, until the container ends', async () => {
    const other = await bed.start();
    await bed.write(other, 'stdout', 'before');
    await eventually(
      () => bed.logs.recent(other, ALL),
      ({ length }) => length === 1,
    );
    const [all, fresh] = [following(other, ALL), following(other, { ...ALL, tail: 0 })];
    await until(all.lines, 1);
    await bed.write(other, 'stdout', 'x'.repeat(40_000));
    await until(all.lines, 2);
    await bed.write(other, 'stderr', 'after');
    await eventually(
      () => Promise.resolve(all.lines.at(-1)?.text),
      (text) => text === 'after',
    );
    await bed.end(other);
    await Promise.all([all.over, fresh.over]);
    const [before, ...long] = texts(all.lines).slice(0, -1);
    expect([before, long.join('')]).toEqual(['before', 'x'.repeat(40_000)]);
    expect(Math.max(...long.map(({ length }) => length))).toBeLessThanOrEqual(16_384);
    const last = all.lines.at(-1)!;
    expect((await bed.logs.recent(other, { ...ALL, afterMicros: last.atMicros - 1 })).at(-1)).toEqual(last);
    await bed.remove(other);
  });

  it('ends when it is told to, and has nothing of what is gone', async () => {
    const followed = following(id, ALL);
    await until(followed.lines, 5);
    followed.end.abort();
    await followed.over;
    const gone = 'f'.repeat(64);
    expect(await bed.logs.recent(gone, ALL)).toEqual([]);
    await following(gone, ALL).over;
  });
}
