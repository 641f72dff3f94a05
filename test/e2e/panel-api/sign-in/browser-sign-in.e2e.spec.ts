import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { chromiumDefect, startChromium } from '../../../support/console/chromium.js';
import { freePort } from '../../../support/free-port.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

type Chromium = Awaited<ReturnType<typeof startChromium>>;

const inChromium = chromiumDefect === null ? it : it.skip;
const suffix = chromiumDefect === null ? '' : ` (${chromiumDefect})`;

describe('signing in with the local identity provider, in a real browser', () => {
  let api: RunningPanelApi;
  let provider: ChildProcess;
  let issuer: string;
  let chromium: Chromium | undefined;

  beforeAll(async () => {
    const [panelPort, providerPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${panelPort}`;
    issuer = `http://127.0.0.1:${providerPort}`;
    const settings = {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'tenantry-test',
      OIDC_CLIENT_SECRET: 'a-client-secret-nobody-may-see',
      OIDC_REDIRECT_URI: `${url}/api/v1/auth/oidc/callback`,
      OIDC_ROLE_CLAIM: 'roles',
    };
    api = await startPanelApi({ port: panelPort, settings });
    provider = spawn(process.execPath, [path.resolve(__dirname, '../../../../tools/demo-idp.mjs')], {
      env: { PATH: process.env['PATH'], IDP_PORT: String(providerPort), PANEL_URL: url, ...settings },
      stdio: 'ignore',
    });
    await untilItAnswers(`${issuer}/.well-known/openid-configuration`);
    if (chromiumDefect === null) chromium = await startChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    provider?.kill();
    await api?.close();
  });

  inChromium(`signs in an admin and a customer with a click, and out again${suffix}`, async () => {
    for (const [button, role] of [
      ['Ada Admin', 'admin'],
      ['Carl Customer', 'customer'],
    ] as const) {
      const page = await chromium!.browser.newPage();
      await page.goto(`${api.url}/api/v1/auth/oidc/login`);
      await page.getByRole('button', { name: button }).click();
      await page.waitForURL(`${api.url}/console/services?page=1`);
      // The console renders, so its content security policy allows its scripts and styles.
      await page.getByRole('heading', { name: 'Services' }).waitFor();
      expect(await me(page)).toMatchObject({ status: 200, body: { user: { role } } });
      expect(await page.evaluate('document.cookie')).toBe('');
      const redirectUrl = await page.evaluate(async () => {
        const answer = await fetch('/api/v1/auth/oidc/logout', { method: 'POST' });
        return ((await answer.json()) as { redirect_url: string }).redirect_url;
      });
      await page.goto(redirectUrl);
      await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor();
      expect(await me(page)).toMatchObject({ status: 401 });
      await page.close();
    }
  });

  inChromium(`keeps another site from acting with the session${suffix}`, async () => {
    const page = await chromium!.browser.newPage();
    await page.goto(`${api.url}/api/v1/auth/oidc/login`);
    await page.getByRole('button', { name: 'Ada Admin' }).click();
    await page.waitForURL(`${api.url}/console/services?page=1`);
    expect(await makeKey(page, api.url)).toBe(201);
    // Another port is another origin of the same site, like a service subdomain, so SameSite does not stop the cookie.
    const evil = await chromium!.browser.newPage();
    await evil.goto(`${issuer}/.well-known/openid-configuration`);
    expect(await makeKey(evil, api.url)).toBe('refused');
    const keys = await page.evaluate(
      async () => (await fetch('/api/v1/api-keys')).json() as Promise<{ keys: unknown[] }>,
    );
    expect(keys.keys).toHaveLength(1);
  });
});

type Page = Awaited<ReturnType<Chromium['browser']['newPage']>>;

function me(page: Page): Promise<{ status: number; body: unknown }> {
  return page.evaluate(async () => {
    const answer = await fetch('/api/v1/auth/me');
    return { status: answer.status, body: await answer.json() };
  });
}

/** Sends a POST from a page, with the cookies of the browser. `refused` if the page cannot read the response. */
function makeKey(page: Page, url: string): Promise<number | 'refused'> {
  // Other origins can send this content type without a preflight request.
  const contentType = new URL(page.url()).origin === url ? 'application/json' : 'text/plain';
  const call = { target: `${url}/api/v1/api-keys`, headers: { 'content-type': contentType } };
  return page.evaluate(async ({ target, headers }) => {
    const init = { method: 'POST', credentials: 'include', body: '{"name":"from a page"}' } as const;
    try {
      return (await fetch(target, { ...init, headers })).status;
    } catch {
      return 'refused';
    }
  }, call);
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
