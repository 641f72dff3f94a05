import type { Page } from 'playwright-core';
import { aCustomer, anOrganisation, aPanelUser, aSessionCookie } from '../../support/builders/a-panel-user.js';
import { chromiumDefect } from '../../support/console/chromium.js';
import { accessibilityFindings, ConsoleBrowser } from '../../support/console/console-browser.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { forgetImages, publishImage } from '../../support/docker/images.js';
import { startRegistry } from '../../support/docker/registry.js';
import { deliver } from '../../support/git/hook-delivery.js';
import { pullRequestOf } from '../../support/git/pull-requests.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../support/services/panel-with-worker.js';

const inChromium = chromiumDefect === null ? it : it.skip;
const suffix = chromiumDefect === null ? '' : ` (${chromiumDefect})`;

describeWithEngine('services in the console, in a real browser', () => {
  let panel: PanelWithWorker;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let image: string;
  let browser: ConsoleBrowser;
  let cookie: string;

  beforeAll(async () => {
    registry = await startRegistry();
    image = `${registry.host}/acme/shown:1`;
    await publishImage(image, {});
    panel = await startPanelWithWorker({ registries: [registry.host] });
    await panel.startWorker();
    cookie = await aSessionCookie(panel.api.app, await aPanelUser(panel.api.app, 'admin'));
    if (chromiumDefect === null) browser = await ConsoleBrowser.start(panel.api.url);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    if (registry) await forgetImages(registry.host);
    await registry?.stop();
  });

  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Compose file' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };

  inChromium(`deploys a compose file, and marks what the panel refuses in it${suffix}`, async () => {
    const page = await browser.open('/deploy', cookie);
    await page.getByRole('link', { name: /Ready-made images/ }).click();
    await page.getByLabel('Name of the service').fill('shop');
    await write(page, `services:\n  web:\n    image: ${image}\n    privileged: true\n`);
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('/services/web/privileged').first().waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    const text = `services:\n  web:\n    image: ${image}\n    init: true\n    environment:\n      TOKEN: \${TOKEN}\n`;
    await write(page, text);
    await page.getByRole('button', { name: 'Add TOKEN' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('TOKEN');
    await page.getByLabel('Value').fill('canary-of-the-form');
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.waitForURL(/\/deployments\//);
    await page.getByText('It works.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('running', { exact: true }).first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.close();
  });

  inChromium(
    `offers the templates, each with a form of its variables whose mistakes are told at their fields${suffix}`,
    async () => {
      const page = await browser.open('/deploy/template', cookie);
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
    const page = await browser.open('/services?status=error', cookie);
    await page.getByRole('link', { name: 'broken' }).click();
    await page.getByRole('link', { name: 'See what the deployment said' }).click();
    await page.getByText('health_gate_failed').first().waitFor();
    await page.getByRole('log').getByText('no such config').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Change the compose file' }).click();
    await page.getByRole('button', { name: 'Open to edit' }).waitFor();
    await page.close();
  });

  inChromium(`names the variables of a service, and deploys new values without ever showing one${suffix}`, async () => {
    const { id } = await serviceNamed('shop');
    const page = await browser.open(`/services/${id}/variables`, cookie);
    await page.getByRole('button', { name: 'Show the names' }).click();
    await page.getByLabel('Value').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('TOKEN');
    expect(await page.content()).not.toContain('canary-of-the-form');
    await page.getByLabel('Value').fill('another-canary');
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await page.waitForURL(/\/deployments\//);
    await page.getByText('succeeded', { exact: true }).first().waitFor();
    await page.close();
  });

  inChromium(`gives a service to an organisation, which the list of services names${suffix}`, async () => {
    const owner = await anOrganisation(panel.api.app);
    const { id } = await serviceNamed('shop');
    const page = await browser.open(`/services/${id}/settings`, cookie);
    await page.getByLabel('Find an organisation').fill(owner.name);
    await page.getByLabel('Organisation', { exact: true }).selectOption(owner.name);
    await page.getByRole('button', { name: 'Save the owner' }).click();
    await page
      .getByText('Saved.')
      .or(page.getByText('succeeded', { exact: true }))
      .first()
      .waitFor();
    await browser.goTo(page, '/services?search=shop');
    await page.getByRole('link', { name: owner.name }).waitFor();
    await page.close();
  });

  inChromium(`asks before it stops a service, and shows that it has stopped${suffix}`, async () => {
    const { id } = await serviceNamed('shop');
    const page = await browser.open(`/services/${id}`, cookie);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped', { exact: true }).first().waitFor();
    await page.close();
  });

  inChromium(`makes a push hook whose secret is shown once, and lists what was delivered${suffix}`, async () => {
    const source = { name: 'pushed', git_repo_url: 'https://github.com/acme/shop' };
    const { body } = await panel.admin.post('/api/v1/services/git', source);
    const page = await browser.open(`/services/${body.serviceId}/git`, cookie);
    await page.getByRole('button', { name: 'Make a hook' }).click();
    const secret = await page.getByRole('textbox', { name: 'Secret of the hook' }).inputValue();
    const url = await page.getByRole('textbox', { name: 'Address of the hook' }).inputValue();
    expect(url).toContain('/api/v1/hooks/git/');
    const push = { ref: 'refs/heads/other', after: 'a'.repeat(40), commits: [] };
    expect((await deliver(panel.api.url, 'github', { url, secret }, push)).status).toBe(202);
    await page.reload();
    await page.getByText('The service follows the branch main.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.close();
  });

  inChromium(`turns previews on, and shows the preview of a pull request and how long it stays${suffix}`, async () => {
    const source = { name: 'previewed', git_repo_url: 'https://git.example.com/acme/shop' };
    const { body } = await panel.admin.post('/api/v1/services/git', source);
    const { body: hook } = await panel.admin.post(`/api/v1/services/${body.serviceId}/hook`);
    await panel.untilOver(body.serviceId);
    const page = await browser.open(`/services/${body.serviceId}/git`, cookie);
    await page.getByRole('button', { name: 'Change previews' }).click();
    await page.getByLabel('Make a preview for every pull request').check();
    await page.getByLabel('Hours kept after the last push').fill('1000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter a whole number from 1 to 720.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Hours kept after the last push').fill('48');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('There is no preview at the moment.').waitFor();
    const change = { number: 7, commit: 'b'.repeat(40) };
    const { event, payload } = pullRequestOf('github', 'opened', change);
    expect((await deliver(panel.api.url, 'github', hook, payload, event)).status).toBe(202);
    await page.reload();
    await page.getByText('pull request 7, kept until').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'previewed-pr-7' }).click();
    await page.getByRole('heading', { name: 'previewed-pr-7' }).waitFor();
    await page.getByRole('link', { name: 'pull request 7' }).click();
    await page.getByRole('heading', { name: 'previewed', exact: true }).waitFor();
    await page.close();
  });

  inChromium(`tells the Git host of deployments once it has a token, which is never shown again${suffix}`, async () => {
    const { id } = await serviceNamed('previewed');
    const page = await browser.open(`/services/${id}/git`, cookie);
    await page.getByRole('button', { name: 'Set up statuses' }).click();
    const token = page.getByLabel('Token', { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const invalid = page.locator('[aria-invalid=true]');
    await save.click();
    await page.getByText('Fill this in.').waitFor();
    await token.fill('canary of the form');
    await save.click();
    await token.and(invalid).waitFor();
    await token.fill('canary-of-the-form');
    await save.click();
    // The host is none of those that are known by their names.
    await page.getByLabel('Kind of Git host').and(invalid).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Kind of Git host').selectOption('Gitea or Forgejo');
    await save.click();
    await page.getByText('stored and never shown').waitFor();
    const settings = async () => (await panel.admin.get(`/api/v1/services/${id}/git-settings`)).body;
    expect(await settings()).toMatchObject({ statusProvider: 'gitea', hasStatusToken: true });

    await page.getByRole('button', { name: 'Change statuses' }).click();
    expect(await page.getByLabel('New token').inputValue()).toBe('');
    expect(await page.content()).not.toContain('canary-of-the-form');
    await page.getByLabel('Forget the token and set no more statuses').check();
    await save.click();
    await page.getByRole('button', { name: 'Set up statuses' }).waitFor();
    expect(await settings()).toMatchObject({ hasStatusToken: false });
    await page.close();
  });

  inChromium(
    `changes what a service from a repository is built from, and tells mistakes at their fields${suffix}`,
    async () => {
      const { id } = await serviceNamed('pushed');
      await panel.untilOver(id);
      const page = await browser.open(`/services/${id}/git`, cookie);
      await page.getByRole('button', { name: 'Show the settings' }).click();
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByLabel('Branch or tag').fill('release');
      await page.getByLabel('Paths that count').fill('apps/web/**\n!docs/**');
      await page.getByLabel('Port of the program').fill('many');
      await page.getByRole('button', { name: 'Save and deploy' }).click();
      await page.getByLabel('Port of the program').and(page.locator('[aria-invalid=true]')).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByLabel('Port of the program').fill('3000');
      await page.getByRole('button', { name: 'Save and deploy' }).click();
      await page.waitForURL(/\/deployments\//);
      const { body } = await panel.admin.get(`/api/v1/services/${id}/source`);
      const watched = ['apps/web/**', '!docs/**'];
      expect(body.git).toMatchObject({ git_branch: 'release', port: 3000, watch_paths: watched });
      await page.close();
    },
  );

  inChromium(`shows a customer the services of its organisation and no others${suffix}`, async () => {
    const { user } = await aCustomer(panel.api.app);
    const { id } = await serviceNamed('shop');
    const page = await browser.open('/services', await aSessionCookie(panel.api.app, user));
    await page.getByText('There are no services yet.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    for (const path of [`/services/${id}`, `/services/${id}/logs`, `/services/${id}/settings`, '/audit']) {
      await browser.goTo(page, path);
      await page.getByRole('alert').first().waitFor();
      expect(await page.content()).not.toContain('shop');
    }
    await page.close();
  });

  inChromium(
    `fits a telephone and both themes without a finding, on every screen of a service${suffix}`,
    async () => {
      const { id } = await serviceNamed('shop');
      const { id: pushed } = await serviceNamed('pushed');
      const database = await aDatabase();
      const tabs = ['', '/deployments', '/logs', '/metrics', '/disk', '/domains', '/settings'];
      const opened: [string, string][] = [
        [`/services/${id}/variables`, 'Show the names'],
        [`/services/${id}/settings`, 'Open to edit'],
        [`/services/${id}/settings`, 'Delete shop'],
        [`/services/${id}/settings`, 'Go back to version 1'],
        [`/services/${id}`, 'Suspend'],
        [`/services/${pushed}/git`, 'New secret'],
        [`/services/${pushed}/git`, 'Remove the hook'],
        [`/services/${pushed}/git`, 'Show the settings'],
        [`/services/${database}/credentials`, 'Change the password'],
        [`/services/${database}/backups`, 'Change'],
        [`/services/${database}/backups`, 'Clone this database'],
      ];
      const page = await browser.open('/services', cookie);
      const screens = ['/services', ...tabs.map((tab) => `/services/${id}${tab}`), ...opened];
      expect(await browser.findings(page, screens)).toEqual([]);
      await page.close();
    },
    300_000,
  );

  inChromium(`runs into no error and no limit of its Content-Security-Policy${suffix}`, () => {
    expect(browser.complaints).toEqual([]);
  });

  /** One whose server never came up: its screens are all there is of it. */
  const aDatabase = async (): Promise<string> => {
    const { body: templates } = await panel.admin.get('/api/v1/templates');
    const { id } = templates.data.find(({ slug }: { slug: string }) => slug === 'postgresql');
    const { body } = await panel.admin.post(`/api/v1/templates/${id}/deploy`, { name: 'orders', variables: {} });
    return body.serviceId as string;
  };

  const serviceNamed = async (name: string): Promise<{ id: string }> =>
    (await panel.admin.get(`/api/v1/services?search=${name}`)).body.data.find(
      (service: { name: string }) => service.name === name,
    );
});
