import type { Uuid } from '#kernel/crypto/uuid';
import { LogHub, type FollowedLog, type LogEntry } from '#libs/services';
import { freely } from '../../contract/container-runtime-bed.js';
import { eventually } from '../../support/docker/eventually.js';
import { FakeContainerLogs } from '../../support/docker/fakes/fake-container-logs.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { aContainerSpec } from '../../support/docker/plans.js';

const IMAGE = 'registry.example.com/acme/web:1';
const NOON = Date.UTC(2026, 0, 1, 12) * 1000;

describe('the logs that are followed', () => {
  let runtime: FakeContainerRuntime;
  let logs: FakeContainerLogs;
  let hub: LogHub;
  let services = 0;

  beforeEach(() => {
    runtime = new FakeContainerRuntime();
    runtime.state.images.set(IMAGE, runtime.state.makeImage({}, null));
    logs = new FakeContainerLogs();
    hub = new LogHub(logs, runtime);
  });
  afterEach(() => hub.stop());

  const aService = () => `service-${++services}` as Uuid;
  const aContainer = async (serviceId: Uuid, name = 'web') => {
    const imageId = runtime.state.images.get(IMAGE)!.id;
    const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId }, { name }), freely);
    logs.start(id);
    await runtime.start(id, freely);
    return id;
  };
  const write = (id: string, from: number, to: number, at = (n: number) => NOON + n) => {
    for (let n = from; n <= to; n += 1) logs.write(id, `line ${n}`, 'stdout', at(n));
  };
  const follow = async (serviceId: Uuid, from: { since?: number; tail?: number } = {}, of = hub) => {
    const lines: LogEntry[] = [];
    const followed: FollowedLog = await of.follow(
      serviceId,
      { since: from.since ?? null, tail: from.tail ?? 100 },
      (entry) => lines.push(entry),
    );
    return { followed, lines, texts: () => [...followed.lines, ...lines].map(({ text }) => text) };
  };
  const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`);
  const until = (lines: readonly LogEntry[], count: number) =>
    eventually(
      () => Promise.resolve(lines.length),
      (length) => length >= count,
    );

  it('number lines that came in one microsecond apart, and alike in every process', async () => {
    const serviceId = aService();
    const id = await aContainer(serviceId);
    write(id, 1, 5, () => NOON);
    const first = await follow(serviceId);
    expect(first.followed.lines.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4].map((n) => NOON + n));
    write(id, 6, 7, () => NOON);
    await until(first.lines, 2);
    const other = new LogHub(logs, runtime);
    const resumed = await follow(serviceId, { since: NOON + 2 }, other);
    expect([resumed.followed.gap, resumed.texts()]).toEqual([null, numbered(4, 7)]);
    expect([...resumed.followed.lines.slice(2)].map(({ seq }) => seq)).toEqual(first.lines.map(({ seq }) => seq));
    other.stop();
  });

  it('go on behind the last line when the engine was away, also among lines of one microsecond', async () => {
    const serviceId = aService();
    const id = await aContainer(serviceId);
    write(id, 1, 3, () => NOON);
    const { lines, texts } = await follow(serviceId);
    write(id, 4, 5, () => NOON);
    await until(lines, 2);
    logs.goAway();
    write(id, 6, 8, () => NOON);
    write(id, 9, 9, () => NOON + 1);
    logs.comeBack();
    await until(lines, 6);
    expect(texts()).toEqual(numbered(1, 9));
  });

  it('grow in number when the clock of the engine is put back', async () => {
    const serviceId = aService();
    const id = await aContainer(serviceId);
    write(id, 1, 2);
    const { followed, lines } = await follow(serviceId);
    write(id, 3, 5, (n) => NOON - 3_600_000_000 + n);
    await until(lines, 3);
    const seqs = [...followed.lines, ...lines].map(({ seq }) => seq);
    expect(seqs).toEqual([1, 2, 3, 4, 5].map((n) => NOON + n));
    const resumed = await follow(serviceId, { since: seqs[1] });
    expect([resumed.followed.gap, resumed.texts()]).toEqual([null, numbered(3, 5)]);
  });

  it('say what they cannot know: a line too old, of another log, or between several containers', async () => {
    const serviceId = aService();
    const [web, db] = [await aContainer(serviceId), await aContainer(serviceId, 'db')];
    write(web, 1, 1_200);
    logs.write(db, 'other', 'stdout', NOON + 1_100);
    const start = await follow(serviceId, { tail: 1_000 });
    expect(start.followed.lines).toHaveLength(1_000);
    const oldest = start.followed.lines[0]!.seq;
    const old = await follow(serviceId, { since: NOON + 5 });
    expect(old.followed.gap).toEqual({ fromSeq: NOON + 6, toSeq: oldest - 1, reason: 'too_old' });
    expect(old.followed.lines).toHaveLength(1_000);
    const future = await follow(serviceId, { since: NOON + 99_999, tail: 10 });
    expect([future.followed.gap?.reason, future.followed.lines.length]).toEqual(['unknown_position', 10]);
    const seam = await follow(serviceId, { since: NOON + 1_150 });
    expect([seam.followed.gap?.reason, seam.followed.lines.length]).toEqual(['several_containers', 51]);
    write(web, 1_201, 1_205);
    await until(seam.lines, 5);
    const live = await follow(serviceId, { since: seam.lines[1]!.seq });
    expect([live.followed.gap, live.texts()]).toEqual([null, numbered(1_203, 1_205)]);
  });

  it('take up new containers and those that start anew, and let go of those that are gone', async () => {
    const serviceId = aService();
    const { lines, texts } = await follow(serviceId);
    const first = await aContainer(serviceId);
    write(first, 1, 2);
    await until(lines, 2);
    logs.end(first);
    await runtime.stop(first, 0, freely);
    write(first, 3, 3);
    logs.start(first);
    await runtime.start(first, freely);
    await until(lines, 3);
    const second = await aContainer(serviceId, 'db');
    write(second, 4, 4);
    await until(lines, 4);
    logs.remove(first);
    await runtime.removeContainer(first, freely);
    write(second, 5, 5);
    await until(lines, 5);
    expect(texts()).toEqual(numbered(1, 5));
    expect(new Set(lines.map(({ container }) => container))).toEqual(new Set(['web', 'db']));
  });

  it('are one stream for each container, however many follow, and end after the last one', async () => {
    const serviceId = aService();
    const id = await aContainer(serviceId);
    const all = await Promise.all([follow(serviceId), follow(serviceId), follow(serviceId, { tail: 0 })]);
    write(id, 1, 3);
    for (const { lines } of all) await until(lines, 3);
    expect([logs.followed, hub.size]).toEqual([1, 1]);
    for (const { followed } of all) followed.end();
    await eventually(
      () => Promise.resolve(hub.size),
      (size) => size === 0,
    );
  });

  it('fail for who begins while the engine is away, and work when it is back', async () => {
    const serviceId = aService();
    const id = await aContainer(serviceId);
    logs.goAway();
    await expect(follow(serviceId)).rejects.toThrow('away');
    logs.comeBack();
    write(id, 1, 1);
    expect((await follow(serviceId)).texts()).toEqual(['line 1']);
  });
});
