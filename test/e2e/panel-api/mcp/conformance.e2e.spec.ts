import path from 'node:path';
import { aCustomer, aKey, anAdminKey } from '../../../support/builders/a-panel-user.js';
import { runConformance } from '../../../support/mcp/conformance/run-conformance.js';
import { keyedProxy, type KeyedProxy } from '../../../support/mcp/keyed-proxy.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

/** The scenarios that do not apply to this server are listed in conformance/<revision>.yml with reasons. */
describe('The official conformance program', () => {
  let api: RunningPanelApi;
  let proxy: KeyedProxy;
  let keys: Readonly<Record<string, string>>;

  beforeAll(async () => {
    proxy = await keyedProxy((route) => ({ url: api.url, key: keys[route] ?? '' }));
    api = await startPanelApi({ settings: { PANEL_URL: proxy.url } });
    const customer = await aCustomer(api.app);
    keys = { '/mcp/admin': await anAdminKey(api.app), '/mcp/tenant': await aKey(api.app, customer.user) };
  });
  afterAll(async () => {
    await proxy?.close();
    await api?.close();
  });

  it.each(['2025-11-25', '2026-07-28'])('accepts both servers for the revision %s', async (revision) => {
    const baseline = path.join(__dirname, 'conformance', `${revision}.yml`);
    const runs = ['/mcp/admin', '/mcp/tenant'].map((route) =>
      runConformance(`${proxy.url}${route}`, revision, baseline),
    );
    for (const { code, output } of await Promise.all(runs)) {
      const summary = output.slice(output.indexOf('=== SUMMARY ==='));
      expect([code, summary]).toEqual([0, expect.stringContaining('✓ tools-list')]);
    }
  });
});
