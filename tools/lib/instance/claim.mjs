import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { endProcess, isSame, startOf } from '../processes.mjs';
import { Refusal } from '../refusal.mjs';

const FILE = 'launcher.json';

/** Applications finish what they are doing; those that hang are killed. */
export const POLITE = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5_000],
];

/**
 * Claims an instance's folder for this launcher. Refused while another launcher runs on it. Processes left by a killed
 * launcher are ended first. Each process is identified by its number and its start time, so no other process is ever
 * hit.
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
    // Ending them took time: another launcher may have been first.
    if (isDeepStrictEqual(readClaim(folder).launcher, launcher)) fs.rmSync(file, { force: true });
  }
}

/** File systems without hard links, such as folders shared with a virtual machine. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Creates a file that is never visible without its content, if files can be linked; false if one exists. */
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

/** Either fails if such a file exists. */
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

/** The note of the folder's last launcher; undefined if there was none or it is unreadable. */
export function readClaim(folder) {
  try {
    const { launcher, processes } = JSON.parse(fs.readFileSync(path.join(folder, FILE), 'utf8'));
    return { launcher, processes: Array.isArray(processes) ? processes : [] };
  } catch {
    return { launcher: undefined, processes: [] };
  }
}

const identityOf = (pid) => ({ pid, start: startOf(pid) });

/** The note of the running launcher: its identity and the processes it has started. */
class Claim {
  #file;
  #note;

  constructor(file, note) {
    this.#file = file;
    this.#note = note;
  }

  /** Records a started process; an earlier one of that name has ended. */
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
