import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { startChromium } from './chromium.js';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * When the whole text of an editable element is replaced, Chromium itself tries to keep the colour of the first word
 * with an inline style. Its complaint about the policy contains the hash of that style.
 */
const EDITING = createHash('sha256').update('color: rgb(15, 118, 110);').digest('base64');

type Screen = string | readonly [path: string, button: string];

/** Chromium with the console of a panel. It collects script errors and violations of the content security policy. */
export class ConsoleBrowser {
  readonly complaints: string[] = [];

  private constructor(
    private readonly chromium: Awaited<ReturnType<typeof startChromium>>,
    private readonly panelUrl: string,
  ) {}

  static async start(panelUrl: string): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await startChromium(), panelUrl);
  }

  /** Opens a page at a path below `/console`. @param cookie session cookie; null for a page without a session */
  async open(path: string, cookie: string | null): Promise<Page> {
    const { browser } = this.chromium;
    await browser.clearCookies();
    const [name = '', value = ''] = cookie?.split('=', 2) ?? [];
    if (name) await browser.addCookies([{ name, value, url: this.panelUrl, httpOnly: true, sameSite: 'Lax' }]);
    const page = await browser.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      const text = message.text();
      if (text.includes('Content Security Policy') && !text.includes(EDITING)) this.complaints.push(text);
    });
    await this.goTo(page, path);
    return page;
  }

  async goTo(page: Page, path: string): Promise<void> {
    await page.goto(`${this.panelUrl}/console${path}`);
  }

  /**
   * Checks screens in the size of a phone, in both themes: WCAG 2.2 AA with axe, and horizontal overflow.
   * @param screens paths, some with a button to press before the check
   * @returns one line per finding
   */
  async findings(page: Page, screens: readonly Screen[]): Promise<string[]> {
    const found: string[] = [];
    await page.setViewportSize({ width: 390, height: 844 });
    for (const screen of screens)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const [path, button] = typeof screen === 'string' ? [screen] : screen;
        const where = `${path} ${button ?? ''} ${colorScheme}`;
        await this.goTo(page, path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        if (button !== undefined) {
          await page.getByRole('button', { name: button, exact: true }).first().click();
          await page.waitForLoadState('networkidle');
        }
        const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wider > 0) found.push(`${where}: ${wider} pixels too wide`);
        for (const finding of await accessibilityFindings(page)) found.push(`${where}: ${finding}`);
      }
    return found;
  }

  close(): Promise<void> {
    return this.chromium.close();
  }
}

/** The violations of WCAG 2.2 AA that axe finds on the page, one line each. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // Injected by the debugger, because the Content-Security-Policy of the page allows no other scripts.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}
