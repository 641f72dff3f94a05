import { engineJson, engineRequest } from './engine-http.js';

export interface WrittenLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The whole log of a container without a terminal, read without our adapter. */
export async function containerLog(containerId: string): Promise<WrittenLine[]> {
  const { bytes } = await engineRequest('GET', `/containers/${containerId}/logs?stdout=1&stderr=1`);
  const lines: WrittenLine[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    const text = bytes.toString('utf8', at + 8, end).replace(/\n$/, '');
    lines.push({ stream: bytes[at] === 2 ? 'stderr' : 'stdout', text });
    at = end;
  }
  return lines;
}

/** Runs a command in a container and waits for its end. @throws unless it exits with 0 */
export async function runInside(containerId: string, ...command: string[]): Promise<void> {
  const options = { Cmd: command, AttachStdout: true, AttachStderr: true };
  const { Id } = await engineJson<{ Id: string }>('POST', `/containers/${containerId}/exec`, options);
  const { text } = await engineRequest('POST', `/exec/${Id}/start`, { body: { Detach: false, Tty: false } });
  const { ExitCode } = await engineJson<{ ExitCode: number }>('GET', `/exec/${Id}/json`);
  if (ExitCode !== 0) throw new Error(`${command.join(' ')} ended with ${ExitCode}: ${text}`);
}
