import type { BrowserContext, Page } from 'playwright-core';
import { chromiumDefect, startChromium } from '../support/console/chromium.js';
import { eventually } from '../support/docker/eventually.js';
import { startPanelApi, type RunningPanelApi } from '../support/panel-api.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const PARTNER_ORDER = ['Identity', 'Contracts', 'Customers', 'Contacts', 'Customer notes', 'Licenses', 'Transfers'];
const inChromium = chromiumDefect === null ? describe : describe.skip;

inChromium(`the reference pages in a browser${chromiumDefect === null ? '' : ` (${chromiumDefect})`}`, () => {
  let partner: RunningPartnerApi;
  let panel: RunningPanelApi;
  let chromium: { readonly browser: BrowserContext; close(): Promise<void> };
  let shown: { title: string; page: Page; problems: string[] }[];

  beforeAll(async () => {
    [partner, panel] = [await startPartnerApi(), await startPanelApi()];
    chromium = await startChromium();
    shown = await Promise.all([
      open('Tenantry Partner API', `${partner.url}/docs`),
      open('Tenantry Panel API', `${panel.url}/api/v1/docs`),
    ]);
  }, 60_000);
  afterAll(async () => {
    await chromium?.close();
    await panel?.close();
    await partner?.close();
  });

  /** The page once it is drawn, and what the browser complained of or asked elsewhere. */
  async function open(title: string, url: string): Promise<{ title: string; page: Page; problems: string[] }> {
    const page = await chromium.browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      const asked = request.url();
      if (!asked.startsWith(new URL(url).origin) && !asked.startsWith('data:')) problems.push(`elsewhere: ${asked}`);
    });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(url);
    await page.locator('.opblock').first().waitFor();
    return { title, page, problems };
  }

  it('have a title and a mark of their own, a quickstart first, and nothing from elsewhere', async () => {
    for (const { title, page, problems } of shown) {
      expect(await page.title()).toBe(title);
      expect(await page.evaluate(`document.querySelector('header img').naturalWidth`)).toBeGreaterThan(0);
      const headings = await page.locator('.info h2:not(.title)').allTextContents();
      expect(headings).toEqual(['Quickstart', 'Conventions', 'Errors']);
      expect(problems).toEqual([]);
    }
  });

  it('have their sections in the order of need, and print no sentence twice', async () => {
    const [{ page }] = shown as [(typeof shown)[0]];
    const tags = page.locator('.opblock-tag');
    const sections = await tags.evaluateAll((all) => all.map((one) => one.getAttribute('data-tag')));
    expect(sections.slice(0, PARTNER_ORDER.length)).toEqual(PARTNER_ORDER);
    const sentences = page.locator('.opblock-summary-description, .opblock-tag small, .info p, .info h2');
    const texts = (await sentences.allInnerTexts()).map((text) => text.trim()).filter(Boolean);
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
  });

  it('are light or dark as the system of the reader is', async () => {
    const [{ page }] = shown as [(typeof shown)[0]];
    const isDark = () => page.evaluate(`getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'`);
    expect(await isDark()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    expect(await isDark()).toBe(true);
  });

  it('fit a telephone, an open operation too', async () => {
    for (const { page } of shown) {
      await page.setViewportSize({ width: 390, height: 900 });
      await page.locator('.opblock-summary-control').first().click();
      await page.locator('.opblock-body').first().waitFor();
      const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
      expect(await eventually(width, (wide) => wide <= 390)).toBeLessThanOrEqual(390);
    }
  });
});
