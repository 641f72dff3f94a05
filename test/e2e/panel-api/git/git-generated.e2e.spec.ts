import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThorough } from '../../../../tools/lib/tests/thorough.mjs';
import { missingTool } from '../../../support/databases/database-root.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { makeCompiledLanguageImage } from '../../../support/docker/compiled-image.js';
import { makeLanguageImage } from '../../../support/docker/language-image.js';
import { GitServer } from '../../../support/git/git-server.js';
import { makeNixpacksStandIn, nixpacksDefect, type NixpacksStandIn } from '../../../support/git/nixpacks-stand-in.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const NAME = `test-generated-${process.pid}`;
const IMAGE = `docker.io/${NAME}/languages:1`;
const COMPILED = `docker.io/${NAME}/compiled:1`;

/** Repositories without a Dockerfile, with the response of the program, by name. */
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
  go: {
    'go.mod': 'module example.com/web\n\ngo 1.19\n',
    'main.go':
      'package main\n\nimport (\n\t"fmt"\n\t"net/http"\n\t"os"\n)\n\nfunc main() {\n' +
      '\thttp.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "go %d", os.Getuid()) })\n' +
      '\thttp.ListenAndServe(":"+os.Getenv("PORT"), nil)\n}\n',
  },
  php: { 'index.php': "<?php echo 'php ', posix_getuid();\n" },
  static: { 'index.html': 'a static site', '.env': 'canary-of-a-static-site' },
} as const;

const SAID = {
  node: 'node 1000',
  python: 'python 1000',
  go: 'go 1000',
  php: 'php 33',
  static: 'a static site',
} as const;

type Name = keyof typeof REPOSITORIES;

const NEED_DEBIAN: readonly Name[] = ['go', 'php'];
/** Their image holds a compiler, which takes minutes to install. */
const unwanted = isThorough() ? null : 'rare, and takes minutes; TEST_THOROUGH=1 runs it';
const missing = unwanted ?? (process.env.CI === 'true' ? null : missingTool());
if (missing !== null) process.stderr.write(`skipped: building ${NEED_DEBIAN.join(' and ')}: ${missing}\n`);
const BUILT = (Object.keys(REPOSITORIES) as Name[]).filter((name) => missing === null || !NEED_DEBIAN.includes(name));

const itWithNixpacks = nixpacksDefect() === null ? it : it.skip;

interface Inspected {
  readonly NetworkSettings: { readonly Networks: Record<string, { readonly IPAddress: string }> };
}

jest.setTimeout(160_000);

describeWithEngine('repositories without a Dockerfile', () => {
  const instance = `generated-${process.pid}`;
  let git: GitServer;
  let panel: PanelWithWorker;
  let folder: string;
  let nixpacks: NixpacksStandIn;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'test-generated-settings-'));
    const table = join(folder, 'images.json');
    const [every, compiled] = [{ '*': IMAGE }, { '*': COMPILED }];
    const images = { node: every, python: every, static: every, go: compiled, alpine: compiled, php: compiled };
    writeFileSync(table, JSON.stringify(images));
    if (missing === null) makeCompiledLanguageImage(COMPILED);
    nixpacks = makeNixpacksStandIn(`docker.io/${NAME}/shell:1`);
    [git] = await Promise.all([GitServer.start(), makeLanguageImage(IMAGE), makeImage(`docker.io/${NAME}/shell:1`)]);
    panel = await startPanelWithWorker({
      instance,
      settings: {
        GIT_ALLOWED_HOSTS: git.host,
        GIT_CA_FILE: git.caFile,
        BUILD_BASE_IMAGES_FILE: table,
        NIXPACKS_PATH: nixpacks.searchPath,
        // The firewall rules for the network of this test would be left behind on the machine.
        BUILD_FIREWALL: 'off',
      },
      timeoutMs: 150_000,
    });
    await panel.startWorker();
  }, 300_000);

  afterAll(async () => {
    await panel?.close();
    await git?.close();
    nixpacks?.remove();
    rmSync(folder, { recursive: true, force: true });
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    await forgetImages(NAME);
  });

  async function get(serviceId: string, path: string): Promise<string> {
    const { body } = await panel.admin.get(`/api/v1/services/${serviceId}`);
    const { NetworkSettings } = await engineJson<Inspected>('GET', `/containers/${body.containerIds[0]}/json`);
    const [address] = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
    return fetch(`http://${address}:8080${path}`).then((answer) => answer.text(), String);
  }

  it.each(BUILT)('are built, run and respond: %s', async (name) => {
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
      (said) => said.trim() === SAID[name],
    );
    if (name === 'static') expect(await get(serviceId, '/.env')).not.toContain('canary');
  });

  itWithNixpacks('are built with the plan of nixpacks, without its cache mounts', async () => {
    git.repository('planned').commit({ 'package.json': '{}' });
    const made = await panel.admin.post('/api/v1/services/git', {
      name: 'planned',
      git_repo_url: git.url('planned'),
      build_method: 'nixpacks',
      build_args: { GREETING: 'by nixpacks' },
    });
    const { serviceId, deploymentId } = made.body as { serviceId: string; deploymentId: string };
    const deployment = await panel.untilOver(serviceId);
    const { text: log } = await panel.admin.get(`/api/v1/deployments/${deploymentId}/log?tail=1000`);
    expect([deployment.status, deployment.errorMessage, log]).toEqual(['succeeded', null, expect.any(String)]);
    expect(log).toContain('The Dockerfile of nixpacks:');
    expect(log).toContain('Warning: cache_mounts_ignored');
    await eventually(
      () => get(serviceId, '/'),
      (said) => said.trim() === 'built by nixpacks',
    );
  });
});
