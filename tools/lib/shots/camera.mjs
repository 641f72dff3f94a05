import path from 'node:path';
import { chromium } from 'playwright-core';
import { findingsOn } from './findings.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
const WIDTHS = [390, 768, 1440];
const THEMES = ['light', 'dark'];
/** Long enough for an answer of the panel and for a chart to be drawn. */
const SETTLE_MS = 400;
/** For machines that do much else meanwhile. */
const TIMEOUT_MS = 90_000;

/** A browser that takes every screen in both themes and all widths. */
export class Camera {
  #browser;
  #folder;
  #panelApi;
  #state;
  taken = 0;
  /** What a look at the pictures would not find, one line each. */
  findings = [];

  static async start(panelApi, folder) {
    const camera = new Camera();
    camera.#browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    camera.#folder = folder;
    camera.#panelApi = panelApi;
    return camera;
  }

  /** Signs in at the local identity provider as people do, and keeps the session for what follows. */
  async signIn(name) {
    const context = await this.#browser.newContext();
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    await page.goto(`${this.#panelApi}/console/`);
    await page
      .getByRole('link', { name: 'Sign in' })
      .click()
      .catch(async (cause) => {
        throw new Error(`no sign-in, but: ${await page.innerText('body')}`, { cause });
      });
    await page.getByRole('button', { name: new RegExp(name) }).click();
    await page.waitForURL(`${this.#panelApi}/**`);
    this.#state = await context.storageState();
    await context.close();
  }

  /**
   * Both themes at a time.
   * @param screens names, addresses below /console, and what has to be done before the picture is taken
   */
  async take(screens, signal) {
    for (const width of WIDTHS) await Promise.all(THEMES.map((theme) => this.#takeAll(screens, width, theme, signal)));
  }

  async #takeAll(screens, width, colorScheme, signal) {
    const viewport = { width, height: width < 600 ? 844 : 900 };
    const context = await this.#browser.newContext({ colorScheme, viewport, storageState: this.#state });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    for (const [name, address, prepare] of screens) {
      signal.throwIfAborted();
      try {
        await this.#prepare(page, address, prepare);
      } catch (error) {
        throw new Error(`${name}, ${width} pixels, ${colorScheme}: ${error.message}`, { cause: error });
      }
      const file = path.join(this.#folder, `${name}-${width}-${colorScheme}.png`);
      const fullPage = (await page.getByRole('dialog').count()) === 0;
      await page.screenshot({ path: file, fullPage, animations: 'disabled' });
      this.taken++;
      for (const finding of await findingsOn(page))
        this.findings.push(`${name}, ${width} pixels, ${colorScheme}: ${finding}`);
    }
    await context.close();
  }

  async #prepare(page, address, prepare) {
    await page.goto(`${this.#panelApi}/console${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    if (prepare) await prepare(page);
    await page.waitForTimeout(SETTLE_MS);
  }

  /** A figure of the browser, such as the time of the first load. */
  measure(figure, address) {
    const newContext = () =>
      this.#browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: this.#state });
    return figure(newContext, `${this.#panelApi}/console${address}`);
  }

  close() {
    return this.#browser.close();
  }
}
