import type { Page } from 'playwright-core';
import { aPanelUser, aSessionCookie } from '../../support/builders/a-panel-user.js';
import { chromiumDefect } from '../../support/console/chromium.js';
import { accessibilityFindings, ConsoleBrowser } from '../../support/console/console-browser.js';
import { describeWithDatabases } from '../../support/databases/database-images.js';
import { BackupBed } from '../../support/services/backup-bed.js';
import { BED_START_MS } from '../../support/services/template-bed.js';

const inChromium = chromiumDefect === null ? it : it.skip;
const suffix = chromiumDefect === null ? '' : ` (${chromiumDefect})`;
const SLOW_MS = 90_000;

describeWithDatabases('somebody who has never used the console', () => {
  let backups: BackupBed;
  let browser: ConsoleBrowser;
  let image: string;
  let database: string;

  beforeAll(async () => {
    backups = await BackupBed.start();
    const { bed } = backups;
    await bed.publish('postgres', 'library/postgres:16-bookworm');
    image = await bed.publishPlain('acme/site:1');
    if (chromiumDefect === null) browser = await ConsoleBrowser.start(bed.panel.api.url);
  }, BED_START_MS);

  afterAll(async () => {
    await browser?.close();
    await backups?.close();
  });

  const sql = async (serviceId: string, text: string) => {
    const { body } = await backups.admin.post(`/api/v1/services/${serviceId}/credentials/reveal`);
    const command = ['psql', '-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-U', body.username, '-d', body.database];
    return backups.bed.run(serviceId, [...command, '-c', text], { PGPASSWORD: body.password });
  };

  inChromium(
    `puts an application online, gives it a database, breaks it, finds out why, and brings the data back${suffix}`,
    async () => {
      const { app } = backups.bed.panel.api;
      const page = await browser.open('/', await aSessionCookie(app, await aPanelUser(app, 'admin')));
      page.setDefaultTimeout(SLOW_MS);

      await page.getByRole('link', { name: 'New service' }).first().click();
      await page.getByRole('link', { name: /Ready-made images/ }).click();
      await page.getByLabel('Name of the service').fill('site');
      const write = async (command: string) => {
        await page.getByRole('textbox', { name: 'Compose file' }).click();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(`services:\n  web:\n    image: ${image}\n    command: ${command}\n`);
      };
      await write('["sleep", "3600"]');
      await page.getByRole('button', { name: 'Deploy' }).click();
      await page.getByText('succeeded', { exact: true }).first().waitFor();

      await page.getByRole('link', { name: 'Services', exact: true }).first().click();
      await page.getByRole('link', { name: 'New service' }).first().click();
      await page.getByRole('link', { name: /A database/ }).click();
      await page.getByRole('link', { name: 'Deploy PostgreSQL' }).click();
      await page.getByLabel('Name of the service').fill('orders');
      await page.getByRole('button', { name: 'Deploy PostgreSQL' }).click();
      await page.getByText('succeeded', { exact: true }).first().waitFor();
      database = /services\/([^/]+)\//.exec(page.url())![1]!;
      await sql(database, 'create table orders (id int); insert into orders select generate_series(1, 500)');

      await page.getByText('It works.').waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Backups' }).click();
      await page.getByRole('button', { name: 'Make a backup now' }).click();
      await page.getByText('verified', { exact: true }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);

      await page.getByRole('link', { name: 'Services', exact: true }).first().click();
      await page.getByRole('link', { name: 'site' }).click();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Open to edit' }).click();
      await write('["sh", "-c", "echo the password is missing; exit 3"]');
      await page.getByRole('button', { name: 'Save and deploy' }).click();
      await page.getByText('health_gate_failed').first().waitFor();
      await page.getByText('The previous containers are running again.').waitFor();
      await page.getByRole('log').getByText('the password is missing').first().waitFor();

      await sql(database, 'delete from orders');
      await browser.goTo(page, `/services/${database}/backups`);
      await page.getByRole('button', { name: 'Restore the backup' }).click();
      await page.getByLabel('Into').selectOption('same');
      expect(await page.getByRole('button', { name: 'Replace the data' }).isDisabled()).toBe(true);
      await page.getByLabel('Type orders to confirm').fill('orders');
      await page.getByRole('button', { name: 'Replace the data' }).click();
      await page.getByText('The data are back').waitFor();
      expect(await sql(database, 'select count(*) from orders')).toBe('500');
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.close();
      expect(browser.complaints).toEqual([]);
    },
    300_000,
  );

  inChromium(
    `records every change of the database, brings a moment back by the time line, and clones the newest backup${suffix}`,
    async () => {
      const { app } = backups.bed.panel.api;
      const path = `/services/${database}/backups`;
      const page = await browser.open(path, await aSessionCookie(app, await aPanelUser(app, 'admin')));
      page.setDefaultTimeout(SLOW_MS);
      await page.getByRole('button', { name: 'Record every change' }).click();
      await page.getByRole('slider').waitFor();
      await sql(database, 'insert into orders select generate_series(501, 507)');
      const right = await page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        const now = Date.now();
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        return new Date(now - new Date(now).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
      });
      await sql(database, 'delete from orders');

      const moment = page.getByLabel('Moment to bring back', { exact: true });
      await moment.fill('2020-01-01T00:00:01');
      await page.getByText('Choose a time from').waitFor();
      expect(await page.getByRole('button', { name: 'Bring this moment back' }).isDisabled()).toBe(true);
      // The browser leaves a zero of seconds out.
      await moment.fill(right.replace(/:00$/, ''));
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Bring this moment back' }).click();
      await page.getByLabel('Name of the new service').fill('orders of a moment');
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      expect(await sql(await restored(page), 'select count(*) from orders')).toBe('507');

      await browser.goTo(page, path);
      await page.getByRole('button', { name: 'Clone this database' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Clone' }).click();
      // The newest backup is the one that was taken before the data were replaced, when the table was empty.
      expect(await sql(await restored(page), 'select count(*) from orders')).toBe('0');
      await page.close();
      expect(browser.complaints).toEqual([]);
    },
    300_000,
  );

  /** The new service of a restore, once it has the data. Its progress is told after a reload, too. */
  const restored = async (page: Page): Promise<string> => {
    await page.getByText('The restore into the new service is').waitFor();
    await page.reload();
    await page.getByText('The data are back').waitFor();
    const address = await page.getByRole('link', { name: 'the new service' }).getAttribute('href');
    return address!.split('/').pop()!;
  };
});
