import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages } from '../../../support/docker/images.js';
import { makeLanguageImage } from '../../../support/docker/language-image.js';
import { GitServer } from '../../../support/git/git-server.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const NAME = `test-generated-${process.pid}`;
const IMAGE = `docker.io/${NAME}/languages:1`;

/** Repositories without a Dockerfile, by name: what the program says to whoever asks it. */
const REPOSITORIES = {
  node: {
    'package.json': JSON.stringify({ name: 'web', version: '1.0.0', scripts: { start: 'node server.js' } }),
    'package-lock.json': JSON.stringify({
      name: 'web',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'web', version: '1.0.0' } },
    }),
    'server.js':
      "require('http').createServer((_, answer) => answer.end(`node ${process.getuid()}`)).listen(process.env.PORT);\n",
  },
  python: {
    'requirements.txt': '# nothing but the standard library\n',
    'main.py':
      'import os\nfrom http.server import BaseHTTPRequestHandler, HTTPServer\n\n\nclass Answer(BaseHTTPRequestHandler):\n' +
      '    def do_GET(self):\n        self.send_response(200)\n        self.end_headers()\n' +
      "        self.wfile.write(f'python {os.getuid()}'.encode())\n\n\n" +
      "HTTPServer(('0.0.0.0', int(os.environ['PORT'])), Answer).serve_forever()\n",
  },
  static: { 'index.html': 'a static site', '.env': 'canary-of-a-static-site' },
} as const;

const SAID = {
  node: 'node 1000',
  python: 'python 1000',
  static: 'a static site',
} as const;

jest.setTimeout(90_000);

describeWithEngine('repositories without a Dockerfile', () => {
  const instance = `generated-${process.pid}`;
  let git: GitServer;
  let panel: PanelWithWorker;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'test-generated-settings-'));
    const table = join(folder, 'images.json');
    const every = { '*': IMAGE };
    writeFileSync(table, JSON.stringify({ node: every, python: every, static: every }));
    [git] = await Promise.all([GitServer.start(), makeLanguageImage(IMAGE)]);
    panel = await startPanelWithWorker({
      instance,
      settings: {
        GIT_ALLOWED_HOSTS: git.host,
        GIT_CA_FILE: git.caFile,
        BUILD_BASE_IMAGES_FILE: table,
        // Rules for a network that goes with the test would stay on this machine.
        BUILD_FIREWALL: 'off',
      },
      patienceMs: 80_000,
    });
    await panel.startWorker();
  });

  afterAll(async () => {
    await panel?.close();
    await git?.close();
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    await forgetImages(NAME);
    rmSync(folder, { recursive: true, force: true });
  });

  async function get(serviceId: string, path: string): Promise<string> {
    const { body } = await panel.admin.get(`/api/v1/services/${serviceId}`);
    const made = await engineJson<{ Id: string }>('POST', `/containers/${body.containerIds[0]}/exec`, {
      AttachStdout: true,
      Cmd: ['wget', '-q', '-O', '-', `http://127.0.0.1:8080${path}`],
    });
    const answer = await engineRequest('POST', `/exec/${made.Id}/start`, { body: { Detach: false, Tty: true } });
    return answer.text.trim();
  }

  it.each(Object.keys(REPOSITORIES) as (keyof typeof REPOSITORIES)[])('are built, run and answer: %s', async (name) => {
    git.repository(name).commit(REPOSITORIES[name]);
    const made = await panel.admin.post('/api/v1/services/git', { name, git_repo_url: git.url(name) });
    expect([made.status, made.text]).toEqual([202, expect.any(String)]);
    const { serviceId, deploymentId } = made.body as { serviceId: string; deploymentId: string };
    const deployment = await panel.untilOver(serviceId);
    const log = await panel.admin.get(`/api/v1/deployments/${deploymentId}/log?tail=1000`);
    expect([deployment.status, deployment.errorMessage, log.text]).toEqual(['succeeded', null, expect.any(String)]);
    expect(log.text).toContain('The generated Dockerfile:');
    await eventually(
      () => get(serviceId, '/'),
      (said) => said === SAID[name],
    );
    if (name === 'static') expect(await get(serviceId, '/.env')).not.toContain('canary');
  });
});
