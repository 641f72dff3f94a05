import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ModelServer, saysPlainly } from '../../../support/analysis/model-server.js';
import { aCustomer, aKey } from '../../../support/builders/a-panel-user.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, removeImage, tagUnlessThere } from '../../../support/docker/images.js';
import { makeLanguageImage } from '../../../support/docker/language-image.js';
import { fencedBlocks } from '../../../support/documents/fenced-blocks.js';
import { GitServer } from '../../../support/git/git-server.js';
import { guestbook } from '../../../support/git/guestbook.js';
import { DocumentedSession, stepsOf } from '../../../support/mcp/documented-session.js';
import { connectMcp, type McpClient } from '../../../support/mcp/mcp-client.js';
import { BED_START_MS, TemplateBed } from '../../../support/services/template-bed.js';

const run = promisify(execFile);

const NAME = `test-session-${process.pid}`;
const IMAGE = `docker.io/${NAME}/languages:1`;
const PASSWORD = 'canary-session-7c41';
const PSQL = ['psql', '-h', '127.0.0.1', '-X', '-A', '-t', '-q', '-U', 'app', '-d', 'app'];
/**
 * The images in the compose file of an analysis. They are made here, because no registry that tests can reach has them.
 */
const OFFICIAL = ['node:22-bookworm-slim', 'alpine:3.20'];

/** The session of docs/automation.md, call by call, on a panel with an engine and a database server. */
describeWithDatabases('An agent that follows docs/automation.md', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-session-'));
  let git: GitServer;
  let model: ModelServer;
  let bed: TemplateBed;
  let key: string;
  let client: McpClient;
  let session: DocumentedSession;
  const tagged: string[] = [];

  beforeAll(async () => {
    const table = path.join(folder, 'images.json');
    writeFileSync(table, JSON.stringify({ node: { '*': IMAGE } }));
    // Containers fetch from the same host as the worker. The address is in a separate network, because the engine's
    // default network disappears while other tests start engines.
    await engineJson('POST', '/networks/create', { Name: NAME });
    const { IPAM } = await engineJson<{ IPAM: { Config: { Gateway: string }[] } }>('GET', `/networks/${NAME}`);
    const host = IPAM.Config[0]!.Gateway;
    [git, model] = await Promise.all([GitServer.start(host), ModelServer.start(), makeLanguageImage(IMAGE)]);
    for (const image of OFFICIAL) if (await tagUnlessThere(IMAGE, image)) tagged.push(image);
    model.behaviour = saysPlainly({ summary: 'A guestbook that counts its visits in PostgreSQL.' });
    git.repository('guestbook').commit(guestbook());
    bed = await TemplateBed.start({
      BACKUP_DIR: path.join(folder, 'backups'),
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_BASE_IMAGES_FILE: table,
      // The firewall rules for the network of this test would be left behind on the machine.
      BUILD_FIREWALL: 'off',
      AI_BASE_URL: model.url,
      AI_MODEL: 'test-model',
    });
    await bed.publish('postgres', 'library/postgres:16-bookworm');
    const { user } = await aCustomer(bed.panel.api.app);
    key = await aKey(bed.panel.api.app, user);
    client = await connectMcp(bed.panel.api.url, '/mcp/tenant', key);
    session = new DocumentedSession(client, { repository: git.url('guestbook'), password: PASSWORD });
  }, BED_START_MS);

  afterAll(async () => {
    await client?.close();
    await bed?.close();
    await Promise.all([git?.close(), model?.close()]);
    for (const network of [NAME, `panel-build-e2e-${process.pid}`])
      await engineRequest('DELETE', `/networks/${network}`);
    for (const image of tagged) await removeImage(image);
    await forgetImages(NAME);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it.each(stepsOf('docs/automation.md').map((step) => [step.place, step.call.tool, step] as const))(
    'gets the answer of the document: %s, %s',
    (_place, _tool, step) => session.take(step),
    150_000,
  );

  it('can be a program like the one in the document', async () => {
    const program = fencedBlocks('docs/automation.md').find(({ language }) => language === 'js')!.text;
    expect(program).toContain('https://panel.example.com');
    const source = `${program.replace('https://panel.example.com', bed.panel.api.url)}
      console.log(structuredContent.total);
      await client.close();`;
    const env = { PATH: process.env.PATH, PANEL_KEY: key };
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], { env });
    expect(stdout.trim()).toBe('2');
  });

  it('ends up with an application that reads and writes its database', async () => {
    const application = session.value('application');
    const [, first] = (await visited(application, 'app')) ?? [];
    const [, second] = (await visited(application, 'app')) ?? [];
    expect(Number(second)).toBe(Number(first) + 1);
    const count = [...PSQL, '-c', 'select count(*) from visits'];
    const counted = await bed.run(session.value('database'), count, { PGPASSWORD: PASSWORD });
    expect(counted).toBe(second);
  });

  it('could have posted the compose file and the database of the analysis unchanged', async () => {
    const { user } = await aCustomer(bed.panel.api.app);
    const customer = bed.panel.api.as(await aKey(bed.panel.api.app, user));
    const post = async (route: string, body: object = {}) => {
      const answer = await customer.post(`/api/v1/portal/${route}`, body);
      expect([route, answer.status, answer.text]).toEqual([route, expect.any(Number), expect.any(String)]);
      return answer.body;
    };
    const { analysis_id: id } = await post('analyze/gitea', { repo_url: git.url('guestbook') });
    const { result } = await eventually(
      async () => (await customer.get(`/api/v1/portal/analyze/${id}`)).body,
      ({ status }) => status === 'completed',
      20_000,
    );
    const [{ template_id: template, body, variables: wiring }] = result.deploy.databases;
    const database = await post(`templates/${template}/deploy`, body);
    await bed.untilDone(database.serviceId);
    const { password } = await post(`services/${database.serviceId}/credentials/reveal`);
    const variables = { DATABASE_URL: wiring.DATABASE_URL.replace('{password}', password) };
    const application = await post('services', { ...result.deploy.compose, variables });
    await bed.untilDone(application.serviceId);
    const { body: shown } = await customer.get(`/api/v1/portal/services/${application.serviceId}`);
    expect(shown).toMatchObject({ name: 'guestbook', status: 'running', deploymentType: 'compose' });
    await eventually(
      () => visited(application.serviceId, 'app').catch(() => null),
      (said) => said !== null,
      20_000,
    );
    expect(
      await bed.run(database.serviceId, [...PSQL, '-c', 'select count(*) from visits'], { PGPASSWORD: password }),
    ).toBe('1');
  }, 150_000);

  it('has read no secret, although it set one', () => {
    expect(client.received()).not.toContain(PASSWORD);
  });

  /** The HTTP response of the application on the network of its organisation. */
  async function visited(serviceId: string, role: string): Promise<RegExpExecArray | null> {
    const filters = JSON.stringify({ label: [`panel.service=${serviceId}`, `panel.role=${role}`] });
    const [container] = await engineJson<Shown[]>('GET', `/containers/json?filters=${encodeURIComponent(filters)}`);
    const [address] = Object.values(container!.NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
    const said = await fetch(`http://${address}:8080/`).then((answer) => answer.text());
    return /^visit (\d+) of the database hello\n$/.exec(said);
  }
});

interface Shown {
  readonly NetworkSettings: { readonly Networks: Record<string, { readonly IPAddress: string }> };
}
