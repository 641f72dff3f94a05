/** What the engine reports about a container that somebody waits for. */
export interface ObservedContainer {
  readonly role: string;
  readonly lifecycle: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  readonly health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  readonly restartCount: number;
  readonly exitCode: number | null;
  readonly oomKilled: boolean;
  /** The last line that its last failed health check wrote. The container controls this text. */
  readonly probeSaid: string | null;
  /** How long it has been running without interruption, in milliseconds. */
  readonly steadyMs: number;
}

export type Verdict =
  | { readonly kind: 'waiting' }
  /** It serves, or it has completed its work (`ended`). */
  | { readonly kind: 'ready'; readonly ended: boolean }
  | { readonly kind: 'failed'; readonly reason: string; readonly quote: string | null };

const WAITING: Verdict = { kind: 'waiting' };

/**
 * The health gate: whether a container that was just started is ready. With a health check, that check decides. Without
 * one, the container must run for `gateMs` without an exit or a restart. Exit code 0 means that its work is done.
 */
export function judge(container: ObservedContainer, gateMs: number): Verdict {
  const { role, lifecycle, health, exitCode } = container;
  if (lifecycle === 'exited' || lifecycle === 'dead' || lifecycle === 'removing') {
    if (lifecycle === 'exited' && exitCode === 0) return { kind: 'ready', ended: true };
    // A swarm kills unhealthy containers.
    if (lifecycle === 'dead' && health === 'unhealthy') return failed(container, `${role} is unhealthy`);
    return failed(container, `${role} ended with ${endOf(exitCode)}`);
  }
  if (health === 'unhealthy') return failed(container, `${role} is unhealthy`);
  if (health === 'healthy') return { kind: 'ready', ended: false };
  if (health === 'starting') return WAITING;
  if (container.restartCount > 0 || lifecycle === 'restarting') return failed(container, `${role} keeps ending`);
  return lifecycle === 'running' && container.steadyMs >= gateMs ? { kind: 'ready', ended: false } : WAITING;
}

const endOf = (exitCode: number | null): string => (exitCode === null ? 'an error' : `exit code ${exitCode}`);

/** Whether a dependency fulfils the condition that another container waits for. */
export function fulfils(
  condition: 'service_started' | 'service_healthy' | 'service_completed_successfully',
  container: ObservedContainer,
): Verdict {
  const { lifecycle, health, exitCode, role } = container;
  const hasEnded = lifecycle === 'exited' || lifecycle === 'dead' || lifecycle === 'removing';
  switch (condition) {
    case 'service_started':
      return { kind: 'ready', ended: hasEnded };
    case 'service_completed_successfully':
      if (!hasEnded) return WAITING;
      if (exitCode === 0) return { kind: 'ready', ended: true };
      return failed(container, `${role} ended with ${endOf(exitCode)}`);
    case 'service_healthy':
      if (hasEnded) return failed(container, `${role} ended before it was healthy`);
      if (health === 'healthy') return { kind: 'ready', ended: false };
      if (health === 'none') return failed(container, `${role} has no health check that others could wait for`);
      return health === 'unhealthy' ? failed(container, `${role} is unhealthy`) : WAITING;
  }
}

function failed({ oomKilled, health, probeSaid }: ObservedContainer, reason: string): Verdict {
  const quote = health === 'unhealthy' ? probeSaid : null;
  return { kind: 'failed', reason: oomKilled ? `${reason}, killed because memory ran out` : reason, quote };
}
