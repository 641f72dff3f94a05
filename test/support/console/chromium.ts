import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Why no browser can be started here. Null if one can, and always on CI, where a missing browser must fail. */
export const chromiumDefect =
  existsSync(CHROMIUM) || process.env['CI'] === 'true' ? null : `skipped: there is no ${CHROMIUM}`;

/** Starts a browser with a temporary profile, which is deleted when it is closed. */
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
