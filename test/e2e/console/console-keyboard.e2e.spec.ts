import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRegistry } from '../../../tools/lib/shots/registry.mjs';
import { EMPTY_SCREENS, screensOf, type Screen } from '../../../tools/lib/shots/screens.mjs';
import { setStage } from '../../../tools/lib/shots/stage.mjs';
import { addWrittenRows } from '../../../tools/lib/shots/written-rows.mjs';
import { aKey, anOrganisation, aPanelUser, aSessionCookie } from '../../support/builders/a-panel-user.js';
import { chromiumDefect } from '../../support/console/chromium.js';
import { ConsoleBrowser } from '../../support/console/console-browser.js';
import { KeyboardWalk } from '../../support/console/keyboard-walk.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../support/services/panel-with-worker.js';

const inChromium = chromiumDefect === null ? it : it.skip;
const suffix = chromiumDefect === null ? '' : ` (${chromiumDefect})`;

describeWithEngine('the console without a mouse', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-keyboard-'));
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let panel: PanelWithWorker;
  let browser: ConsoleBrowser;
  let walk: KeyboardWalk;
  let user: Awaited<ReturnType<typeof aPanelUser>>;

  beforeAll(async () => {
    registry = await startRegistry(folder, new AbortController().signal);
    const settings = { TEMPLATE_REGISTRY: registry.host, PANEL_SESSION_RPM: '100000' };
    panel = await startPanelWithWorker({ registries: [registry.host], settings });
    await panel.startWorker();
    await anOrganisation(panel.api.app);
    if (chromiumDefect !== null) return;
    browser = await ConsoleBrowser.start(panel.api.url);
    user = await aPanelUser(panel.api.app, 'admin');
    const cookie = await aSessionCookie(panel.api.app, user);
    walk = await KeyboardWalk.start(await browser.open('/services', cookie));
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    await registry?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const findingsOn = async (screens: readonly Screen[]): Promise<string[]> => {
    const findings: string[] = [];
    for (const [name, address, open] of screens) {
      const found = await walk.goTo(address);
      if (open) for (const button of open.names) found.push(...(await walk.press(button)));
      else found.push(...(await walk.walk()));
      findings.push(...found.map((finding) => `${name}: ${finding}`));
    }
    return findings;
  };

  inChromium(`leads past what every screen has to its content${suffix}`, async () => {
    expect(await walk.skip()).toEqual([]);
  });

  inChromium(
    `can be read in order, shows where one is, and keeps and gives back the focus on every screen and in every dialog${suffix}`,
    async () => {
      expect(await findingsOn(EMPTY_SCREENS.slice(1))).toEqual([]);
      const instance = { panelApi: panel.api.url, panelAdminKey: await aKey(panel.api.app, user) };
      const stage = await setStage(instance, registry.host, new AbortController().signal);
      const written = await addWrittenRows(panel.api.database.url, stage);
      expect(await findingsOn(screensOf({ ...stage, ...written }))).toEqual([]);
      expect(browser.complaints).toEqual([]);
    },
    120_000,
  );
});
