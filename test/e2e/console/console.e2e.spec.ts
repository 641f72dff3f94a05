import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { aCustomer, aPanelUser, aSessionCookie } from '../../support/builders/a-panel-user.js';
import { chromiumDefect, startChromium } from '../../support/chromium.js';
import { accessibilityFindings, signIn } from '../../support/console-browser.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { forgetImages, publishImage } from '../../support/docker/images.js';
import { startRegistry } from '../../support/docker/registry.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../support/services/panel-with-worker.js';

const inChromium = chromiumDefect === null ? it : it.skip;
const suffix = chromiumDefect === null ? '' : ` (${chromiumDefect})`;

/**
 * Chromium itself tries to keep the colour of the first word when the whole text of an editable element is replaced, and
 * complains by the hash of that style.
 */
const EDITING = createHash('sha256').update('color: rgb(15, 118, 110);').digest('base64');

describeWithEngine('the console, in a real browser', () => {
  let panel: PanelWithWorker;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let image: string;
  let chromium: Awaited<ReturnType<typeof startChromium>> | undefined;
  const complaints: string[] = [];

  beforeAll(async () => {
    registry = await startRegistry();
    image = `${registry.host}/acme/shown:1`;
    await publishImage(image, {});
    panel = await startPanelWithWorker({ registries: [registry.host] });
    await panel.startWorker();
    if (chromiumDefect === null) chromium = await startChromium();
  }, 60_000);

  afterAll(async () => {
    await chromium?.close();
    await panel?.close();
    if (registry) await forgetImages(registry.host);
    await registry?.stop();
  });

  /** A page of the console, signed in with that cookie; what its browser complains about is noted. */
  const open = async (path: string, cookie: string): Promise<Page> => {
    await chromium!.browser.clearCookies();
    await signIn(chromium!.browser, panel.api.url, cookie);
    const page = await chromium!.browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      const text = message.text();
      if (text.includes('Content Security Policy') && !text.includes(EDITING)) complaints.push(text);
    });
    await page.goto(`${panel.api.url}/console${path}`);
    return page;
  };
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Compose file' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  const adminCookie = async () => aSessionCookie(panel.api.app, await aPanelUser(panel.api.app, 'admin'));

  inChromium(`shows the sign-in to whoever has no session, wherever they go${suffix}`, async () => {
    await chromium!.browser.clearCookies();
    const page = await chromium!.browser.newPage();
    await page.goto(`${panel.api.url}/console/services/anything`);
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.close();
  });

  inChromium(`deploys a compose file, and marks what the panel refuses in it${suffix}`, async () => {
    const page = await open('/deploy/compose', await adminCookie());
    await page.getByLabel('Name', { exact: true }).fill('shop');
    await write(page, `services:\n  web:\n    image: ${image}\n    privileged: true\n`);
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('/services/web/privileged').first().waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    await write(page, `services:\n  web:\n    image: ${image}\n    init: true\n`);
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.waitForURL(/\/deployments\//);
    await page.getByText('succeeded', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('running', { exact: true }).first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.close();
  });

  inChromium(
    `offers the templates, each with a form of its variables whose mistakes are told at their fields${suffix}`,
    async () => {
      const page = await open('/deploy/template', await adminCookie());
      await page.getByRole('link', { name: 'Deploy PostgreSQL' }).click();
      await page.getByLabel('Name of the service').fill('orders');
      await page.getByLabel('Memory in MiB').fill('64');
      await page.getByRole('button', { name: 'Deploy PostgreSQL' }).click();
      await page.getByLabel('Memory in MiB').and(page.locator('[aria-invalid=true]')).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.close();
    },
  );

  inChromium(`leads from a service in error to what its deployment says${suffix}`, async () => {
    const composeYaml = `services:\n  web:\n    image: ${image}\n    command: ["sh", "-c", "echo no such config; exit 3"]\n`;
    const { body } = await panel.admin.post('/api/v1/services', { name: 'broken', composeYaml });
    await panel.until(body.serviceId, 'error');
    const page = await open('/services?status=error', await adminCookie());
    await page.getByRole('link', { name: 'broken' }).click();
    await page.getByRole('link', { name: 'See what the deployment said' }).click();
    await page.getByText('health_gate_failed').first().waitFor();
    await page.getByRole('log').getByText('no such config').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.close();
  });

  inChromium(`shows a customer the services of its organisation and no others${suffix}`, async () => {
    const { user } = await aCustomer(panel.api.app);
    const { body } = await panel.admin.get('/api/v1/services');
    const page = await open('/services', await aSessionCookie(panel.api.app, user));
    await page.getByText('There are no services yet.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.goto(`${panel.api.url}/console/services/${body.data[0].id}`);
    await page.getByRole('alert').waitFor();
    await page.close();
  });

  inChromium(`ends at the sign-in when its session ends elsewhere${suffix}`, async () => {
    const page = await open('/services', await adminCookie());
    await page.getByRole('heading', { name: 'Services' }).waitFor();
    await page.evaluate(() => fetch('/api/v1/auth/oidc/logout', { method: 'POST' }));
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor();
    await page.close();
  });

  inChromium(`fits a telephone and both themes without a finding${suffix}`, async () => {
    const page = await open('/services', await adminCookie());
    for (const path of [
      '/services',
      '/deploy',
      '/deploy/compose',
      '/deploy/template',
      '/deploy/git',
      '/keys',
      '/audit',
    ]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 390, height: 800 });
        await page.goto(`${panel.api.url}/console${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect([path, colorScheme, await accessibilityFindings(page)]).toEqual([path, colorScheme, []]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([path, overflow]).toEqual([path, 0]);
      }
    }
    await page.close();
  });

  inChromium(`runs into no error and no limit of its Content-Security-Policy${suffix}`, () => {
    expect(complaints).toEqual([]);
  });

  it('is served compressed, never cached as a page and for ever as a file', async () => {
    const page = await fetch(`${panel.api.url}/console/services`);
    const html = await page.text();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    const file = await fetch(`${panel.api.url}${script}`, { headers: { 'accept-encoding': 'br' } });
    expect([file.status, file.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${panel.api.url}/console/assets/none.js`)).status).toBe(404);
  });
});
