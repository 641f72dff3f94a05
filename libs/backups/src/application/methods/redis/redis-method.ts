import type { Readable } from 'node:stream';
import { type Command, PASSWORD, secret } from '#libs/templates';
import { BackupFailed } from '../../../domain/backup-errors.js';
import { type Inventory, inventoryDefect } from '../../../domain/inventory.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import type { DatabaseMethod, RunningDump } from '../database-method.js';
import * as scripts from './scripts.js';

/** Only these keys are counted, because keys with an expiry may be gone by the time they are counted again. */
const LASTING = 'keys that do not expire';
const FILE = 'the snapshot file';

/**
 * Redis: a copy of the snapshot file that BGSAVE writes, which contains the number of its keys. A restore makes it the
 * base of the append-only file and restarts the server.
 */
export class RedisMethod implements DatabaseMethod {
  readonly kind = 'snapshot';
  readonly templates = ['redis'];
  // No key may be evicted in a trial, because all of them are counted.
  readonly trialArguments = ['--maxmemory', '0'];
  readonly livesInMemory = true;

  constructor(private readonly programs: DatabasePrograms) {}

  async dump(target: DatabaseTarget, signal: AbortSignal): Promise<RunningDump> {
    const said = await this.programs.text(target, script(target, scripts.TAKE_SNAPSHOT), signal);
    const drop = () => this.programs.text(target, script(target, scripts.DROP_SNAPSHOT), AbortSignal.timeout(30_000));
    try {
      const { inventory } = inventoryOf(said);
      const data = await this.programs.output(target, script(target, scripts.READ_SNAPSHOT), signal);
      const databaseVersion = said.split('\n')[0]?.trim() ?? '';
      return {
        data,
        details: () => Promise.resolve({ inventory, databaseVersion, notes: [] }),
        close: () => drop().then(nothing, nothing),
      };
    } catch (error) {
      await drop().catch(nothing);
      throw error;
    }
  }

  async restore(target: DatabaseTarget, data: Readable, expected: Inventory, signal: AbortSignal): Promise<Inventory> {
    let taken: Snapshot;
    try {
      await this.tidy(target, signal);
      await this.programs.feed(target, script(target, scripts.TAKE_IN), data, signal);
      taken = inventoryOf(await this.run(target, scripts.CHECK_TAKEN_IN, signal));
      const defect = inventoryDefect(expected, taken.inventory);
      if (defect) throw new BackupFailed(defect);
    } catch (error) {
      data.destroy();
      await this.tidy(target, signal).catch(nothing);
      throw error;
    }
    await this.takeOver(target, taken.keys, signal);
    return taken.inventory;
  }

  async tidy(target: DatabaseTarget, signal: AbortSignal): Promise<void> {
    await this.run(target, scripts.TIDY, signal);
  }

  private async takeOver(target: DatabaseTarget, keys: number, signal: AbortSignal): Promise<void> {
    await this.run(target, scripts.SWAP, signal);
    try {
      await target.restart(signal);
      const loaded = Number(await this.run(target, scripts.LOADED, signal));
      if (loaded !== keys) throw new BackupFailed(`The server has read ${loaded} keys, the backup holds ${keys}.`);
      await this.run(target, scripts.CLEAR_OLD, signal);
    } catch (error) {
      await this.run(target, scripts.SWAP_BACK, signal);
      await target.restart(signal);
      throw error;
    }
  }

  private run(target: DatabaseTarget, text: string, signal: AbortSignal): Promise<string> {
    return this.programs.text(target, script(target, text), signal);
  }
}

function script({ input }: DatabaseTarget, text: string): Command {
  return {
    command: ['sh', '-c', text],
    environment: { REDISCLI_AUTH: [secret(PASSWORD)], PANEL_USER: input.user === '' ? 'default' : input.user },
  };
}

interface Snapshot {
  readonly inventory: Inventory;
  /** Those that expire are among them. */
  readonly keys: number;
}

/** What `redis-check-rdb` says of a file. */
function inventoryOf(said: string): Snapshot {
  const figure = (what: string) => Number(new RegExp(`\\[info\\] (\\d+) ${what}`).exec(said)?.[1] ?? Number.NaN);
  const [keys, expiring] = [figure('keys read'), figure('expires')];
  if (!said.includes('RDB looks OK!') || Number.isNaN(keys) || Number.isNaN(expiring))
    throw new BackupFailed('The snapshot file is damaged.');
  // The server can be configured to write no checksum.
  const checksum = said.includes('Checksum OK') ? /^crc64 ([0-9a-f]{16})$/m.exec(said)?.[1] : undefined;
  const contents = checksum === undefined ? null : { [FILE]: checksum };
  return { inventory: { objects: {}, rows: { [LASTING]: keys - expiring }, contents }, keys };
}

function nothing(): void {
  // Nothing can be done about a failure: the next backup replaces the file.
}
