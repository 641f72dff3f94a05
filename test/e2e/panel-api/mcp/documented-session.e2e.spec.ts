import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ModelServer, saysPlainly } from '../../../support/analysis/model-server.js';
import { aCustomer, aKey } from '../../../support/builders/a-panel-user.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { forgetImages } from '../../../support/docker/images.js';
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

/** The session of docs/automation.md, call by call, on a panel with an engine and a database server. */
describeWithDatabases('An agent that does what docs/automation.md says', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-session-'));
  let git: GitServer;
  let model: ModelServer;
  let bed: TemplateBed;
  let key: string;
  let client: McpClient;
  let session: DocumentedSession;

  beforeAll(async () => {
    const table = path.join(folder, 'images.json');
    writeFileSync(table, JSON.stringify({ node: { '*': IMAGE } }));
    [git, model] = await Promise.all([GitServer.start(), ModelServer.start(), makeLanguageImage(IMAGE)]);
    model.behaviour = saysPlainly({ summary: 'A guestbook that counts its visits in PostgreSQL.' });
    git.repository('guestbook').commit(guestbook());
    bed = await TemplateBed.start({
      BACKUP_DIR: path.join(folder, 'backups'),
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_BASE_IMAGES_FILE: table,
      // Rules for a network that goes with the test would stay on this machine.
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
    await engineRequest('DELETE', `/networks/panel-build-e2e-${process.pid}`);
    await forgetImages(NAME);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it.each(stepsOf('docs/automation.md').map((step) => [step.place, step.call.tool, step] as const))(
    'gets the answer of the document: %s, %s',
    (_place, _tool, step) => session.take(step),
    150_000,
  );

  it("may be a program of one's own, as the document shows it", async () => {
    const program = fencedBlocks('docs/automation.md').find(({ language }) => language === 'js')!.text;
    expect(program).toContain('https://panel.example.com');
    const source = `${program.replace('https://panel.example.com', bed.panel.api.url)}
      console.log(structuredContent.total);
      await client.close();`;
    const env = { PATH: process.env.PATH, PANEL_KEY: key };
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], { env });
    expect(stdout.trim()).toBe('2');
  });

  it('has an application that reads from its database and writes to it', async () => {
    const { body } = await bed.panel.admin.get(`/api/v1/services/${session.value('application')}`);
    const [, first] = (await visited(body.containerIds[0])) ?? [];
    const [, second] = (await visited(body.containerIds[0])) ?? [];
    expect(Number(second)).toBe(Number(first) + 1);
    const counted = await bed.run(
      session.value('database'),
      [
        'psql',
        '-h',
        '127.0.0.1',
        '-X',
        '-A',
        '-t',
        '-q',
        '-U',
        'app',
        '-d',
        'app',
        '-c',
        'select count(*) from visits',
      ],
      { PGPASSWORD: PASSWORD },
    );
    expect(counted).toBe(second);
  });

  it('has read no secret, although it gave one', () => {
    expect(client.received()).not.toContain(PASSWORD);
  });

  /** What the application says over HTTP on the network of its organisation. */
  async function visited(containerId: string): Promise<RegExpExecArray | null> {
    const { NetworkSettings } = await engineJson<Inspected>('GET', `/containers/${containerId}/json`);
    const [address] = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
    const said = await fetch(`http://${address}:8080/`).then((answer) => answer.text());
    return /^visit (\d+) of the database hello\n$/.exec(said);
  }
});

interface Inspected {
  readonly NetworkSettings: { readonly Networks: Record<string, { readonly IPAddress: string }> };
}
