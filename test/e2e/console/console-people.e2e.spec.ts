import type { Response } from 'playwright-core';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import { aCustomer, anOrganisation, aPanelUser, aSessionCookie } from '../../support/builders/a-panel-user.js';
import { saysPlainly, ModelServer } from '../../support/analysis/model-server.js';
import { chromiumDefect } from '../../support/console/chromium.js';
import { accessibilityFindings, ConsoleBrowser } from '../../support/console/console-browser.js';
import { GitServer } from '../../support/git/git-server.js';
import { startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';
import { addManyServices } from '../../../tools/lib/shots/many-services.mjs';
import { startPanelWithWorker, type PanelWithWorker } from '../../support/services/panel-with-worker.js';

const inChromium = chromiumDefect === null ? it : it.skip;
const suffix = chromiumDefect === null ? '' : ` (${chromiumDefect})`;

const SHOP = {
  'package.json': '{"name":"shop","scripts":{"start":"node server.js"},\n"dependencies":{"express":"4","pg":"8"}}',
  'server.js': "require('express')().listen(process.env.PORT || 3000);\n",
  '.env.example': 'DATABASE_URL=postgres://user:pw@localhost/shop\nCOLOUR=green\n',
};

describe('the console without an engine, in a real browser', () => {
  let git: GitServer;
  let model: ModelServer;
  let panel: PanelWithWorker;
  let browser: ConsoleBrowser;
  let cookie: string;

  beforeAll(async () => {
    [git, model] = await Promise.all([GitServer.start(), ModelServer.start()]);
    model.behaviour = saysPlainly({ summary: 'A shop that sells boats.', port: 3000 });
    const settings = {
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      AI_BASE_URL: model.url,
      AI_MODEL: 'test-model',
      AI_API_KEY: 'canary-provider-key',
    };
    panel = await startPanelWithWorker({ settings, dockerHost: 'unix:///nowhere/docker.sock' });
    cookie = await adminCookie();
    if (chromiumDefect === null) browser = await ConsoleBrowser.start(panel.api.url);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    await Promise.all([git?.close(), model?.close()]);
  });

  const adminCookie = async () => aSessionCookie(panel.api.app, await aPanelUser(panel.api.app, 'admin'));

  inChromium(`shows the sign-in to whoever has no session, wherever they go${suffix}`, async () => {
    const page = await browser.open('/services/anything', null);
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.close();
  });

  inChromium(`makes an organisation, limits it, and adds and removes a member${suffix}`, async () => {
    const page = await browser.open('/organisations', cookie);
    await page.getByRole('button', { name: 'New organisation' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Harbour Books');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Harbour Books' }).waitFor();

    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByLabel('Services').fill('many');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByLabel('Services').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Services').fill('5');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('0 of 5').waitFor();

    await page.getByRole('button', { name: 'Add a member' }).click();
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('cell', { name: 'grace@example.com has not signed in yet' }).waitFor();
    await page.getByRole('button', { name: 'Remove grace@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nobody belongs to this organisation yet.').waitFor();
    await page.close();
  });

  inChromium(
    `names people in the audit log by their addresses, and says of the partner area that it comes later${suffix}`,
    async () => {
      const admin = await aPanelUser(panel.api.app, 'admin');
      const page = await browser.open('/keys', await aSessionCookie(panel.api.app, admin));
      await page.getByRole('button', { name: 'New key' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('of the audit');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByLabel('What was done').selectOption('api_key.created');
      await page.getByRole('row').filter({ hasText: admin.email }).getByText('API key created').waitFor();
      await browser.goTo(page, '/partner');
      await page.getByText('This part of the console is not built yet.').waitFor();
      await page.close();
    },
  );

  inChromium(`shows times in the zone of the browser, and in UTC on hover${suffix}`, async () => {
    const page = await browser.open('/keys', cookie);
    const debug = await page.context().newCDPSession(page);
    await debug.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await browser.goTo(page, '/audit');
    const time = page.getByRole('row').nth(1).locator('time');
    const at = (await time.getAttribute('datetime'))!;
    const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' });
    const plain = (text: string) => text.replaceAll(/\s/g, ' ');
    expect(plain(await time.innerText())).toBe(plain(format.format(new Date(at))));
    expect(await time.getAttribute('title')).toBe(`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`);
    await page.close();
  });

  inChromium(`shows a customer its own organisation, and refuses the screens of admins${suffix}`, async () => {
    const { user, organisation } = await aCustomer(panel.api.app);
    const other = await anOrganisation(panel.api.app);
    const page = await browser.open('/organisation', await aSessionCookie(panel.api.app, user));
    await page.getByRole('cell', { name: user.email }).waitFor();
    for (const path of ['/organisations', `/organisations/${organisation.id}`, `/organisations/${other.id}`]) {
      await browser.goTo(page, path);
      await page.getByRole('alert').first().waitFor();
      expect(await page.content()).not.toContain(other.name);
    }
    await page.close();
  });

  inChromium(`analyses a repository, shows where each finding stands, and fills in the form${suffix}`, async () => {
    git.repository('shop').commit(SHOP);
    const page = await browser.open('/deploy/analysis', cookie);
    await page.getByLabel('Repository', { exact: true }).fill(git.url('shop'));
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.getByText('Waiting for its turn').waitFor();
    await panel.startWorker();
    await page.getByText('A shop that sells boats.').waitFor();
    await page.getByRole('cell', { name: '.env.example:1' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Deploy this' }).click();
    await page.getByLabel('Repository', { exact: true }).waitFor();
    expect(await page.getByLabel('Repository', { exact: true }).inputValue()).toBe(git.url('shop'));
    expect(await page.getByLabel('Port of the program').inputValue()).toBe('3000');
    expect(await page.getByLabel('Name of the service').inputValue()).toBe('shop');
    const fields = await page.getByLabel('Name', { exact: true }).all();
    const names = await Promise.all(fields.map((field) => field.inputValue()));
    expect(names).toEqual(expect.arrayContaining(['COLOUR', 'DATABASE_URL']));
    await page.close();
  });

  inChromium(`ends at the sign-in when its session ends elsewhere${suffix}`, async () => {
    const page = await browser.open('/services', await adminCookie());
    await page.getByRole('heading', { name: 'Services' }).waitFor();
    await page.evaluate(() => fetch('/api/v1/auth/oidc/logout', { method: 'POST' }));
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor();
    await page.close();
  });

  inChromium(`keeps what was typed when the session has ended${suffix}`, async () => {
    const page = await browser.open('/keys', cookie);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('of the afternoon');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('of the afternoon');
    await page.close();
  });

  inChromium(`offers to load the page again when a part of it does not come${suffix}`, async () => {
    const page = await browser.open('/services', cookie);
    await page.route('**/assets/code-editor-loaded-*', (route) => route.abort());
    await browser.goTo(page, '/deploy/compose');
    await page.getByText('This part of the page could not be shown.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload this page' }).click();
    await page.getByRole('textbox', { name: 'Compose file' }).waitFor();
    await page.close();
  });

  inChromium(`offers nothing to a member who may only look, and says so under its address${suffix}`, async () => {
    const { user } = await aCustomer(panel.api.app, { permissions: ['services:read'] });
    const page = await browser.open('/deploy/compose', await aSessionCookie(panel.api.app, user));
    await page.getByText('You are not allowed to do this.').waitFor();
    await browser.goTo(page, '/organisation');
    await page.getByText('You may not see the quota and the members of your organisation.').waitFor();
    await page.close();
  });

  inChromium(
    `fits a telephone and both themes without a finding, on every screen without a service${suffix}`,
    async () => {
      const { id } = await anOrganisation(panel.api.app);
      const page = await browser.open('/services', cookie);
      const ways = ['', '/git', '/analysis', '/template', '/template/6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1005', '/compose'];
      const others = ['/services', '/organisations', `/organisations/${id}`, '/keys', '/audit', '/partner', '/nowhere'];
      const opened: [string, string][] = [
        ['/organisations', 'New organisation'],
        [`/organisations/${id}`, 'Change limits'],
        [`/organisations/${id}`, 'Add a member'],
        ['/keys', 'New key'],
      ];
      const screens = [...ways.map((way) => `/deploy${way}`), ...others, ...opened];
      expect(await browser.findings(page, screens)).toEqual([]);
      await page.close();
    },
  );

  inChromium(
    `runs into no error and no limit of its Content-Security-Policy${suffix}`,
    () => {
      expect(browser.complaints).toEqual([]);
    },
    300_000,
  );
});

describe('the console while its panel is down', () => {
  let api: RunningPanelApi;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { LOG_LEVEL: 'error' } });
    if (chromiumDefect === null) browser = await ConsoleBrowser.start(api.url);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await api?.database.drop();
  });

  it('is served compressed; pages are not cached and files are cached forever', async () => {
    const page = await fetch(`${api.url}/console/services`);
    const html = await page.text();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    const file = await fetch(`${api.url}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect([file.status, file.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(Number(file.headers.get('content-length'))).toBeLessThan(200 * 1024);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${api.url}/console/assets/none.js`)).status).toBe(404);
  });

  inChromium(`needs less than 200 KB of compressed script until the services are shown${suffix}`, async () => {
    const page = await browser.open('/nowhere', await aSessionCookie(api.app, await aPanelUser(api.app, 'admin')));
    await page.getByText('There is no such page.').waitFor();
    const scripts: Response[] = [];
    page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response));
    await browser.goTo(page, '/services');
    await page.getByText('There are no services yet.').waitFor();
    const sizes = await Promise.all(scripts.map((script) => script.headerValue('content-length')));
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + Number(size), 0)).toBeLessThan(200 * 1024);
    // Scripts cannot read the session cookie, and no token is stored anywhere else.
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('Object.keys(localStorage).concat(Object.keys(sessionStorage))')).toEqual([
      'tenantry-theme',
    ]);
    await page.close();
  });

  inChromium(
    `says since when what it shows is old, and goes on by itself when the panel is back${suffix}`,
    async () => {
      const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
      const page = await browser.open('/services', cookie);
      await page.getByText('There are no services yet.').waitFor();
      const { database, url } = api;
      await api.app.close();
      await page.getByText(/The connection is lost\. What you see is from \d/).waitFor();
      api = await startPanelApi({ database, port: Number(new URL(url).port), settings: { LOG_LEVEL: 'error' } });
      await page.getByText('The connection is lost').waitFor({ state: 'detached' });
      expect(await page.getByText('There are no services yet.').count()).toBe(1);
      await page.close();
    },
  );

  inChromium(`shows five hundred services page by page, found by what stands in the address${suffix}`, async () => {
    await addManyServices(api.database.url, 500);
    const cookie = await aSessionCookie(api.app, await aPanelUser(api.app, 'admin'));
    const page = await browser.open('/services?page=2', cookie);
    await page.getByText('500 services, page 2 of 10').waitFor();
    expect(await page.getByRole('row').count()).toBe(51);
    await page.getByLabel('Search by name').fill('blog-');
    await page.getByLabel('Status').selectOption('suspended');
    await page.waitForURL(/search=blog-.*status=suspended|status=suspended.*search=blog-/);
    await page.getByText(/^\d services$/).waitFor();
    await page.reload();
    await page.getByText(/^\d services$/).waitFor();
    expect(await page.getByLabel('Search by name').inputValue()).toBe('blog-');
    expect(await page.getByLabel('Status').inputValue()).toBe('suspended');
    await page.getByLabel('Search by name').fill('nothing of that name');
    await page.getByRole('link', { name: 'Clear the filter' }).click();
    await page.getByText('500 services, page 1 of 10').waitFor();
    expect(await page.getByLabel('Search by name').inputValue()).toBe('');
    await page.close();
  });

  it('stops at once although browsers hold preconnected sockets', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    const since = performance.now();
    await Promise.all([api.app.close(), closed]);
    expect(performance.now() - since).toBeLessThan(5_000 * PATIENCE);
  });
});
