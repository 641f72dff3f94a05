import { withoutPasswords } from './refusal.mjs';

const TICK_MS = 1_000;
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * What a tool is doing, on stderr. On a terminal a line per step that counts its seconds while it lasts; in a pipe a
 * line per step when it begins, with the seconds since the tool was started.
 * @returns {{ say: (text: string) => void, step: <T>(what: string, work: () => Promise<T>) => Promise<T> }}
 */
export function stepsOf(tool, stream = process.stderr) {
  let running = '';
  const write = (text) => stream.write(`${running && '\r\x1b[2K'}${tool}: ${withoutPasswords(text)}\n${running}`);
  const show = (line) => {
    running = line;
    stream.write(`\r\x1b[2K${line}`);
  };

  async function step(what, work) {
    if (!stream.isTTY || running) {
      write(`[${seconds(0)}] ${what}`);
      return work();
    }
    const began = performance.now();
    const line = () => `${tool}: ${what} ... ${Math.floor((performance.now() - began) / 1000)} s`;
    show(line());
    const clock = setInterval(() => show(line()), TICK_MS);
    try {
      return await work();
    } finally {
      clearInterval(clock);
      running = '';
      stream.write(`\r\x1b[2K${tool}: ${what}: ${seconds(began)}\n`);
    }
  }
  return { say: write, step };
}
