import { takeTurn } from '../../turn.js';
import { ip } from './ip-command.js';

/** The bridge of the machine's engine. */
export const MACHINE_BRIDGE = 'docker0';
const MAX_WAIT_MS = 240_000;

/** Waits until no other test hides the bridge, and prevents it from being hidden. @returns a function that ends this */
export function keepMachineBridge(): Promise<() => void> {
  return takeTurn('machine-bridge', MAX_WAIT_MS);
}

/**
 * Runs `work` while the bridge has another name. A starting engine deletes the link `docker0` if it has no bridge of
 * its own, or if it was killed before.
 */
export async function withoutMachineBridge(work: () => Promise<void>): Promise<void> {
  const endTurn = await keepMachineBridge();
  const isThere = ip('link', 'show', MACHINE_BRIDGE) === null;
  const hidden = `${MACHINE_BRIDGE}-kept`;
  try {
    if (isThere) rename(MACHINE_BRIDGE, hidden);
    await work();
  } finally {
    if (isThere) rename(hidden, MACHINE_BRIDGE);
    endTurn();
  }
}

function rename(from: string, to: string): void {
  for (const change of [
    [from, 'down'],
    [from, 'name', to],
    [to, 'up'],
  ]) {
    const defect = ip('link', 'set', ...change);
    if (defect !== null) throw new Error(defect);
  }
}
