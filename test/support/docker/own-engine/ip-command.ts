import { spawnSync } from 'node:child_process';

/** Runs the program `ip`. @returns the error, or null if it succeeded */
export function ip(...options: readonly string[]): string | null {
  const { status, stderr } = spawnSync('ip', options, { encoding: 'utf8' });
  return status === 0 ? null : `ip ${options.join(' ')}: ${stderr}`;
}
