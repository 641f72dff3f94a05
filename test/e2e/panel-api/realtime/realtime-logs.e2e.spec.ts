import { LogHub } from '#libs/services';
import { OpenSockets } from '../../../../apps/panel-api/src/realtime/socket/open-sockets.js';
import { aPanelUser, aSessionCookie } from '../../../support/builders/a-panel-user.js';
import { chromiumDefect } from '../../../support/console/chromium.js';
import { ConsoleBrowser } from '../../../support/console/console-browser.js';
import { containerLog } from '../../../support/docker/container-log.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { writeLines } from '../../../support/realtime/log-writer.js';
import { LogsPanel, untilLines, untilQuiet, type OtherPanel } from '../../../support/realtime/logs-panel.js';
import { limitsOf } from '../../../support/realtime/realtime-panel.js';
import type { Message, SocketClient } from '../../../support/realtime/socket-client.js';

const BURST = 30_000;

describeWithEngine('logs on /ws', () => {
  let bed: LogsPanel;
  let serviceId: string;
  /** Another process of the API with the same database. */
  let other: OtherPanel;

  beforeAll(async () => {
    bed = await LogsPanel.start();
    serviceId = await bed.create('writer', ['web']);
  }, 60_000);
  afterEach(() => bed.closeSockets());
  afterAll(() => bed?.close(), 60_000);

  const limits = () => limitsOf(bed.panel.api.app);
  const channelOf = (id = serviceId) => `service:${id}:logs`;
  const linesOf = (client: SocketClient) =>
    client.of('service.log').map(({ data }) => ({ stream: data.stream as string, text: data.line as string }));

  it('are the same for all followers and need only one stream from the engine', async () => {
    const [containerId] = await bed.containersOf(serviceId);
    await writeLines(containerId!, 40);
    await untilQuiet(containerId!, 44);
    const before = bed.proxy.sent.toString().split('follow=true').length;
    const [all, some, none] = [await bed.greeted(), await bed.greeted(), await bed.greeted()];
    await all.subscribe(channelOf(), { tail: 1_000 });
    await some.subscribe(channelOf(), { tail: 3 });
    await none.subscribe(channelOf(), { tail: 0 });
    await writeLines(containerId!, 60, 0.005);
    const written = await untilQuiet(containerId!, 110);
    await untilLines(all, 110);
    await untilLines(none, 66);
    expect(linesOf(all)).toEqual(written);
    expect(linesOf(some)).toEqual(written.slice(41));
    expect(linesOf(none)).toEqual(written.slice(44));
    expect(all.of('service.log').find(({ data }) => data.line.startsWith('line 1 '))).toMatchObject({
      channel: channelOf(),
      data: { containerId, container: 'web', stream: 'stdout', line: 'line 1 <script>alert(1)</script>' },
    });
    expect(bed.proxy.sent.toString().split('follow=true').length - before).toBe(1);
    const seqs = all.of('service.log').map(({ seq }) => seq!);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    await bed.closeSockets();
    await eventually(
      () => Promise.resolve(bed.panel.api.app.get(LogHub).size),
      (size) => size === 0,
    );
  });

  it('continue without loss or duplicates after a restart of the container and an outage of the engine', async () => {
    const [containerId] = await bed.containersOf(serviceId);
    const known = (await containerLog(containerId!)).length;
    const client = await bed.greeted();
    await client.subscribe(channelOf(), { tail: 0 });
    await writeLines(containerId!, 100, 0.005);
    await untilLines(client, 20);
    bed.proxy.cut();
    await untilLines(client, 60);
    expect((await engineRequest('POST', `/containers/${containerId}/restart?t=0`)).status).toBe(204);
    await eventually(
      () => engineJson<{ State: { Running: boolean } }>('GET', `/containers/${containerId}/json`),
      ({ State }) => State.Running,
    );
    const between = (await containerLog(containerId!)).length;
    await writeLines(containerId!, 50, 0.005);
    const written = await untilQuiet(containerId!, between + 55);
    await untilLines(client, written.length - known);
    expect(linesOf(client)).toEqual(written.slice(known));
    expect(client.of('service.log.gap')).toEqual([]);
  });

  const inChromium = chromiumDefect === null ? it : it.skip;
  inChromium(
    `are shown as text by the console, with every status${chromiumDefect === null ? '' : ` (${chromiumDefect})`}`,
    async () => {
      const { app, url } = bed.panel.api;
      const browser = await ConsoleBrowser.start(url);
      try {
        const moved = await fetch(`${url}/docs/live`, { redirect: 'manual' });
        expect([moved.status, moved.headers.get('location')]).toEqual([302, '/console/services']);
        const page = await browser.open('/nowhere', await aSessionCookie(app, await aPanelUser(app, 'admin')));
        page.on('dialog', (dialog) => browser.complaints.push(`a dialog: ${dialog.message()}`));
        const figures = { cpuPct: 12.5, ramPct: 40, cpuSpark: [5, 80, 20], ramSpark: [40, 41, 40], available: true };
        await page.route('**/metrics/summary*', (route) =>
          route.fulfill({ json: { summaries: { [serviceId]: figures } } }),
        );
        await browser.goTo(page, '/services');
        const row = page.getByRole('row', { name: /writer/ });
        await row.getByText('running', { exact: true }).waitFor();
        await row.getByText('13 %').waitFor();
        expect(await row.locator('polyline').count()).toBe(2);

        const [containerId] = await bed.containersOf(serviceId);
        const known = (await containerLog(containerId!)).length;
        await writeLines(containerId!, 5);
        await untilQuiet(containerId!, known + 5);
        await row.getByRole('link', { name: 'writer' }).click();
        await page.getByRole('link', { name: 'Logs' }).click();
        const log = page.getByRole('log');
        await log.getByText('<script>alert(1)</script>').last().waitFor();
        expect(await log.locator('script').count()).toBe(0);

        // After a lost connection, the log continues behind the last line.
        for (const socket of app.get(OpenSockets)) socket.close(1012, 'test');
        await writeLines(containerId!, 3);
        const written = (await untilQuiet(containerId!, known + 8)).map(({ text }) => text);
        const shown = async () =>
          (await log.locator('> div').allTextContents()).map((text) => text.replace(/^web /, ''));
        const texts = await eventually(shown, (seen) => seen.at(-1) === written.at(-1));
        expect(texts).toEqual(written.slice(-texts.length));
        expect(texts.length).toBeGreaterThan(100);

        await browser.goTo(page, '/services');
        await row.getByText('running', { exact: true }).waitFor();
        await bed.panel.admin.post(`/api/v1/services/${serviceId}/stop`);
        await row.getByText('stopped', { exact: true }).waitFor();
        await bed.panel.admin.post(`/api/v1/services/${serviceId}/start`);
        await row.getByText('running', { exact: true }).waitFor();
        await bed.panel.untilOver(serviceId);
        expect(browser.complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    60_000,
  );

  it('can be resumed after a line by any process, which reports gaps', async () => {
    const [containerId] = await bed.containersOf(serviceId);
    const first = await bed.greeted();
    await first.subscribe(channelOf(), { tail: 1_000 });
    await first.settled();
    const middle = first.of('service.log').at(-20)!;
    const rest = first.of('service.log').slice(-19);
    other = await bed.startOther();
    for (const url of [bed.panel.api.url, other.url]) {
      const client = await bed.greeted(url);
      expect((await client.subscribe(channelOf(), { since: middle.seq })).data).toEqual({ resumed: true });
      await client.settled();
      expect(client.of('service.log')).toEqual(rest);
      const lost = await client.subscribe(channelOf(), { since: middle.seq! + 1 });
      expect(lost.data).toEqual({ resumed: false });
      expect(client.of('service.log.gap')[0]!.data).toMatchObject({ dropped: null, fromSeq: middle.seq! + 2 });
    }
    // A follower of the other process gets the same line with the same number.
    const [here, there] = [await bed.greeted(), await bed.greeted(other.url)];
    for (const client of [here, there]) await client.subscribe(channelOf(), { tail: 0 });
    await writeLines(containerId!, 10);
    for (const client of [here, there]) await untilLines(client, 10);
    expect(there.of('service.log').slice(0, 10)).toEqual(here.of('service.log').slice(0, 10));
  });

  it('continue after the last line after a kill -9 of the process, and so do events', async () => {
    const [containerId] = await bed.containersOf(serviceId);
    const known = (await containerLog(containerId!)).length;
    const first = await bed.greeted(other.url);
    await first.subscribe(channelOf(), { tail: 0 });
    const { seq } = await first.subscribe('services');
    await writeLines(containerId!, 100, 0.01);
    await untilLines(first, 30);
    await other.end('SIGKILL');
    await first.closed();
    await bed.panel.admin.post(`/api/v1/services/${serviceId}/start`);
    const written = await untilQuiet(containerId!, known + 110);
    other = await bed.startOther();
    const second = await bed.greeted(other.url);
    const since = first.of('service.log').at(-1)!.seq;
    expect((await second.subscribe(channelOf(), { since })).data).toEqual({ resumed: true });
    expect((await second.subscribe('services', { since: seq })).data).toEqual({ resumed: true });
    await untilLines(second, written.length - known - linesOf(first).length);
    expect([...linesOf(first), ...linesOf(second)]).toEqual(written.slice(known));
  }, 60_000);

  it('reach a slow socket with a gap of the missing lines, and the others completely', async () => {
    const [containerId] = await bed.containersOf(serviceId);
    const before = { ...limits() };
    Object.assign(limits(), { slowBytes: 64 * 1024 });
    const [slow, quick] = [await bed.greeted(), await bed.greeted()];
    Object.assign(limits(), before);
    for (const client of [slow, quick]) await client.subscribe(channelOf(), { tail: 0 });
    slow.ws.pause();
    await writeLines(containerId!, BURST);
    const lines = BURST * 1.1;
    await untilLines(quick, lines);
    slow.ws.resume();
    const count = () => {
      const dropped = slow.of('service.log.gap').reduce((sum, { data }) => sum + (data.dropped as number), 0);
      return dropped + slow.of('service.log').length;
    };
    await eventually(
      () => Promise.resolve(count()),
      (counted) => counted >= lines,
      20_000,
    );
    expect([count(), quick.of('service.log').length, quick.of('service.log.gap').length]).toEqual([lines, lines, 0]);
    expect(slow.of('service.log.gap').length).toBeGreaterThan(0);
    // A gap is sent in the place of its lines.
    const told = slow.messages.filter(({ type }) => type.startsWith('service.log'));
    const expected = quick.of('service.log').map(({ seq }) => seq);
    expect(told.flatMap((message) => seqsOf(message, expected))).toEqual(expected);
  }, 60_000);

  it('follow the new containers of a deployment, and end with the service', async () => {
    const id = await bed.create('replaced', ['web', 'api']);
    const client = await bed.greeted();
    await client.subscribe(channelOf(id));
    await client.subscribe(`service:${id}`);
    const reader = await bed.greeted();
    await reader.subscribe(channelOf(id));
    const [deployment] = (await bed.panel.admin.get(`/api/v1/services/${id}/deployments`)).body.data;
    const old = await bed.containersOf(id);
    const rollback = { deploymentId: deployment.id };
    expect((await bed.panel.admin.post(`/api/v1/services/${id}/rollback`, rollback)).status).toBe(202);
    await bed.panel.untilOver(id);
    await bed.panel.until(id, 'running');
    const fresh = await bed.containersOf(id);
    expect(fresh.filter((one) => old.includes(one))).toEqual([]);
    for (const containerId of fresh) await writeLines(containerId, 10);
    await untilLines(client, 22);
    const told = client.of('service.log').map(({ data }) => data.containerId as string);
    expect([...new Set(told)].sort()).toEqual([...fresh].sort());
    const steps = client.of('deployment.step').map(({ data }) => `${data.name} ${data.status}`);
    expect(steps).toEqual(expect.arrayContaining(['create running', 'create succeeded', 'finish running']));
    await bed.panel.admin.delete(`/api/v1/services/${id}`);
    for (const one of [client, reader]) {
      await one.find(({ type, channel }) => type === 'unsubscribed' && channel === channelOf(id), 'end', 20_000);
    }
    expect(client.of('service.removed').length).toBe(1);
  }, 60_000);

  it('report an engine that does not respond', async () => {
    await eventually(
      () => Promise.resolve(bed.panel.api.app.get(LogHub).size),
      (size) => size === 0,
    );
    await bed.proxy.close();
    const client = await bed.greeted();
    const { type, data } = await client.subscribe(channelOf());
    expect([type, data.code]).toEqual(['error', 'docker_unavailable']);
    await bed.proxy.open();
    expect((await client.subscribe(channelOf())).type).toBe('subscribed');
  });
});

/** The line numbers that a message covers: its own, or those of a gap. */
function seqsOf({ type, seq, data }: Message, all: readonly (number | undefined)[]): (number | undefined)[] {
  if (type === 'service.log') return [seq];
  return all.slice(all.indexOf(data.fromSeq as number), all.indexOf(data.toSeq as number) + 1);
}
