import fs from 'node:fs';
import path from 'node:path';
import { applicationsOf, identityProvider, lastWordsOf, startApplications } from './applications.mjs';
import { databaseHome, launchDatabase, refuseUnreachable } from '../postgres/database.mjs';
import { describe, isKnown, NO_DEMO_DATA, notedDemoData, writeDescription } from './demo-file.mjs';
import { Refusal } from '../refusal.mjs';
import { keptSecrets } from './secrets.mjs';
import { choosePorts, needsIdp, refuseBusyPorts, settingsOf } from './settings.mjs';
import { runStaffCommand } from './staff-cli.mjs';
import { Supervisor } from './supervisor.mjs';

const DATABASE = 'postgres';

/** One running instance: database, applications and the file that tells how to use them. */
export class Instance {
  /**
   * @param {{ root: string, folder: string, claim: object, options: object, say: Function, step: Function,
   *   signal: AbortSignal }} place
   *   `folder` holds everything that the instance keeps
   */
  constructor(place) {
    Object.assign(this, place);
    this.logs = path.join(this.folder, 'logs');
    this.demoFile = path.join(this.folder, 'demo.json');
    // Waiting ends when a signal arrives and when the instance stops for any other reason.
    this.stopping = new AbortController();
    this.signal = AbortSignal.any([this.signal, this.stopping.signal]);
    this.supervisor = new Supervisor({ say: this.say, onStart: (name, pid) => this.claim.note(name, pid) });
  }

  /**
   * Starts everything.
   * @returns the contents of `demo.json`
   */
  async start(given) {
    const { ephemeral, demo: wantsDemo } = this.options;
    this.#emptyLogs();
    const noted = notedDemoData(this.demoFile);
    const hasData = !given.SECRETS_KEYS && (fs.existsSync(this.demoFile) || fs.existsSync(databaseHome(this.folder)));
    const secrets = keptSecrets(path.join(this.folder, 'secrets.json'), { hasData, newKeys: this.options.newKeys });
    const ports = await choosePorts(given, ephemeral);
    const withIdp = needsIdp(given, ephemeral);
    // The database's port is checked when it starts: a server left by a killed launcher still uses it.
    const others = Object.keys(ports).filter((name) => name !== 'POSTGRES_PORT' && (withIdp || name !== 'IDP_PORT'));
    await refuseBusyPorts(ports, others);
    const settings = settingsOf({ given, ports, folder: this.folder, secrets, ephemeral });
    // It needs no database, so it starts in parallel.
    const idp = withIdp ? this.#applications([identityProvider(this.root, settings)], settings) : Promise.resolve();
    idp.catch(() => {}); // heard of below
    const env = { ...settings, DATABASE_URL: await this.#database(given.DATABASE_URL, ports.POSTGRES_PORT) };
    this.signal.throwIfAborted();
    await this.step('migrating the database', () => this.#staff(['migrate', 'up'], env));
    if (this.options.newKeys) await this.#giveUpOldKeys(env);
    const applications = this.#applications.bind(this, applicationsOf(this.root, env), env);
    await this.step('starting the applications', () => Promise.all([idp, applications()]));
    const useful = await isKnown(noted, `http://127.0.0.1:${ports.PARTNER_API_PORT}`);
    const makes = wantsDemo && !useful && given.NODE_ENV !== 'production';
    const demo = useful ? noted : makes ? await this.#makeDemoData(env) : NO_DEMO_DATA;
    const description = describe({ env, demo, folder: this.folder, withIdp });
    writeDescription(this.demoFile, description);
    this.supervisor.markReady();
    return description;
  }

  /** Ends all processes, the database last and cleanly. */
  async stop() {
    this.stopping.abort();
    await this.supervisor.stop(DATABASE);
  }

  /** Rejects if a process keeps ending by itself. */
  get failure() {
    return this.supervisor.failure;
  }

  #emptyLogs() {
    fs.mkdirSync(this.logs, { recursive: true, mode: 0o700 });
    for (const name of fs.readdirSync(this.logs)) fs.truncateSync(path.join(this.logs, name));
  }

  async #database(givenUrl, port) {
    if (givenUrl) {
      await refuseUnreachable(givenUrl);
      return givenUrl;
    }
    const launch = () => launchDatabase(this.folder, port);
    const { url } = await this.step('starting PostgreSQL', () => this.supervisor.start(DATABASE, launch));
    return url;
  }

  #applications(applications, env) {
    const { supervisor, logs, signal } = this;
    const { watch } = this.options;
    return this.#orFailure(startApplications({ applications, supervisor, env, logs, watch, signal }));
  }

  #staff(args, env) {
    const { root, signal, logs } = this;
    return this.#orFailure(runStaffCommand({ root, args, env, signal, log: path.join(logs, 'cli.log') }));
  }

  async #giveUpOldKeys(env) {
    const { lost } = JSON.parse(await this.#staff(['secrets', 'give-up', '--yes', '--json'], env));
    if (lost.length === 0) return this.say('the key ring opens everything: nothing is lost');
    const names = lost.map(({ what, count, key }) => `${what} (${count}, key ${key})`);
    this.say(`lost with the old keys: ${names.join(', ')}`);
  }

  async #makeDemoData(env) {
    const output = await this.step('creating demo data', () => this.#staff(['demo', '--json'], env));
    const { partners, contracts, customers, panelAdminKey } = JSON.parse(output);
    return { partners, contracts, customers, panelAdminKey };
  }

  /** The outcome of a step. If a process ends meanwhile, its last log lines are the reason. */
  async #orFailure(step) {
    try {
      return await Promise.race([step, this.failure]);
    } catch (error) {
      step.catch(() => {}); // the process that ended is what matters
      const [, name] = /^(\S+) ended \(/.exec(error.message) ?? [];
      if (!name) throw error;
      throw new Refusal(`${error.message} at its start: ${lastWordsOf(this.logs, name)}`);
    }
  }
}
