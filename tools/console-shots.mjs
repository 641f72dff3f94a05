/**
 * `npm run console:shots`: takes a screenshot of every screen of the console, in both themes and three widths, with no
 * services, with three, and with five hundred. Starts a throw-away instance with a registry of its own; needs a Docker
 * Engine, Chromium, docker-registry and busybox-static.
 *
 * It also measures the first load and scrolling. `-- overview keys` takes only screens whose names contain one of the
 * words. The screenshots are in reports/console.
 */
import './lib/install/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from './lib/refusal.mjs';
import { Camera } from './lib/shots/camera.mjs';
import { firstLoad, scrolling } from './lib/shots/figures.mjs';
import { addManyServices } from './lib/shots/many-services.mjs';
import { startRegistry } from './lib/shots/registry.mjs';
import { CROWDED_SCREENS, CUSTOMER_SCREENS, EMPTY_SCREENS, screensOf } from './lib/shots/screens.mjs';
import { setStage } from './lib/shots/stage.mjs';
import { addWrittenRows } from './lib/shots/written-rows.mjs';
import { temporaryFolder } from './lib/instance/throwaway.mjs';
import { interruption, runTool } from './lib/tool.mjs';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'reports', 'console');
const say = (text) => process.stderr.write(`console:shots: ${text}\n`);
const MANY = 500;
const words = process.argv.slice(2);
const chosen = (screens) => screens.filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));

await runTool('console:shots', async () => {
  const signal = interruption();
  const { folder, claim } = await temporaryFolder('tenantry-shots-');
  const open = [];
  try {
    const registry = await startRegistry(folder, signal);
    open.push(registry.stop);
    const instance = await startInstance(registry.host);
    open.push(instance.stop);
    const camera = await Camera.start(instance.panelApi, emptied(target));
    open.push(() => camera.close());

    await camera.take(chosen([['sign-in', '/']]), signal);
    await camera.signIn('Ada Admin');
    await camera.take(chosen(EMPTY_SCREENS), signal);
    say('deploying three services ...');
    const stage = await setStage(instance, registry.host, signal);
    const written = await addWrittenRows(instance.databaseUrl, stage);
    await camera.take(chosen(screensOf({ ...stage, ...written })), signal);
    for (const id of [stage.shop, stage.cache, stage.broken, stage.pushed, stage.database, written.preview])
      await stage.call('DELETE', `/services/${id}`);
    await camera.signIn('Carl Customer');
    await camera.take(chosen(CUSTOMER_SCREENS), signal);
    await camera.signIn('Ada Admin');
    await addManyServices(instance.databaseUrl, MANY);
    await camera.take(chosen(CROWDED_SCREENS), signal);
    const { scriptKb, ms } = await camera.measure(firstLoad, '/services');
    say(`first load with ${MANY} services: ${scriptKb} KB of compressed script, ${ms} ms until they are shown`);
    say(`scrolling through them: ${await camera.measure(scrolling, '/services')} ms a frame`);
    process.stdout.write(`${camera.taken} screenshots are in ${path.relative(process.cwd(), target)}\n`);
    for (const finding of camera.findings) say(finding);
    return camera.findings.length === 0 ? 0 : 1;
  } finally {
    for (const close of open.reverse()) await close();
    claim.release();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

function emptied(place) {
  if (words.length === 0) fs.rmSync(place, { recursive: true, force: true });
  fs.mkdirSync(place, { recursive: true });
  return place;
}

/** A throw-away instance whose services may come from the registry. */
async function startInstance(registry) {
  const settings = {
    SERVICES_REGISTRIES: registry,
    TEMPLATE_REGISTRY: registry,
    HEALTH_GATE_SECONDS: '1',
    PANEL_SESSION_RPM: '100000',
  };
  const child = spawn(process.execPath, [path.join(root, 'tools', 'start.mjs'), '--ephemeral'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...settings },
  });
  const ended = once(child, 'exit');
  const line = new Promise((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
  });
  const first = await Promise.race([line, ended.then(() => null)]);
  if (first === null) throw new Refusal('the instance does not start');
  return {
    ...JSON.parse(first),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
