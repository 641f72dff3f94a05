import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Why no browser can be started here; null when one can. CI must have it. */
export const chromiumDefect =
  existsSync(CHROMIUM) || process.env['CI'] === 'true' ? null : `skipped: there is no ${CHROMIUM}`;

/** A browser with a profile of its own, which goes with it. */
export async function startChromium(): Promise<{ readonly browser: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(path.join(tmpdir(), 'tenantry-chromium-'));
  const options = { executablePath: CHROMIUM, headless: true, args: ARGUMENTS };
  const browser = await chromium.launchPersistentContext(profile, options);
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
