import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { endProcess, isSame, startOf } from './processes.mjs';
import { Refusal } from './refusal.mjs';

const FILE = 'launcher.json';

/** Applications finish what they are doing; what hangs is killed. */
export const POLITE = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5_000],
];

/**
 * Takes an instance's folder for this launcher. Refused while another launcher runs on it. What a killed launcher left
 * running is ended first; each process is known by its number and its start, so nobody else's is ever hit.
 */
export async function claim(folder) {
  const file = path.join(folder, FILE);
  for (;;) {
    const self = { launcher: identityOf(process.pid), processes: [] };
    if (createWhole(file, JSON.stringify(self))) return new Claim(file, self);
    const { launcher, processes } = readClaim(folder);
    if (launcher && isSame(launcher))
      throw new Refusal(
        `this checkout's instance is already running (process ${launcher.pid}): use it, or stop it with Ctrl-C`,
      );
    await Promise.all(processes.map((left) => endProcess(left, POLITE)));
    // Ending them took its time: another launcher may have been first.
    if (isDeepStrictEqual(readClaim(folder).launcher, launcher)) fs.rmSync(file, { force: true });
  }
}

/** File systems without hard links, such as folders shared with a virtual machine. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Creates a file that nobody sees without its content, where files can be linked; false when there is one. */
function createWhole(file, content) {
  const prepared = `${file}.${process.pid}`;
  fs.writeFileSync(prepared, content, { mode: 0o600 });
  try {
    linkOrCopy(prepared, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(prepared, { force: true });
  }
}

/** Either fails when there is such a file already. */
function linkOrCopy(from, to) {
  try {
    fs.linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.includes(error.code)) throw error;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  }
}

/** Whether an instance runs in this folder right now. */
export function isClaimed(folder) {
  const { launcher } = readClaim(folder);
  return launcher !== undefined && isSame(launcher);
}

/** What the folder's last launcher noted; nothing when there was none or its note is unreadable. */
export function readClaim(folder) {
  try {
    const { launcher, processes } = JSON.parse(fs.readFileSync(path.join(folder, FILE), 'utf8'));
    return { launcher, processes: Array.isArray(processes) ? processes : [] };
  } catch {
    return { launcher: undefined, processes: [] };
  }
}

const identityOf = (pid) => ({ pid, start: startOf(pid) });

/** The note of the running launcher: who it is and which processes it has started. */
class Claim {
  #file;
  #note;

  constructor(file, note) {
    this.#file = file;
    this.#note = note;
  }

  /** Notes a process that was started; a former one of that name has ended. */
  note(name, pid) {
    const others = this.#note.processes.filter((known) => known.name !== name);
    this.#note = { ...this.#note, processes: [...others, { name, ...identityOf(pid) }] };
    fs.writeFileSync(`${this.#file}.new`, JSON.stringify(this.#note), { mode: 0o600 });
    fs.renameSync(`${this.#file}.new`, this.#file); // in one step: a reader never sees half of it
  }

  release() {
    fs.rmSync(this.#file, { force: true });
  }
}
