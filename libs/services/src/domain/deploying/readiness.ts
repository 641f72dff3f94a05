/** What the engine tells about one container that is waited for. */
export interface ObservedContainer {
  readonly role: string;
  readonly lifecycle: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  readonly health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  readonly restartCount: number;
  readonly exitCode: number | null;
  readonly oomKilled: boolean;
  /** The last line of its last probe, when it failed; written by the container. */
  readonly probeSaid: string | null;
  /** How long it has been seen running without a break. */
  readonly steadyMs: number;
}

export type Verdict =
  | { readonly kind: 'waiting' }
  /** It serves, or it `ended` with its work done. */
  | { readonly kind: 'ready'; readonly ended: boolean }
  | { readonly kind: 'failed'; readonly reason: string; readonly quote: string | null };

const WAITING: Verdict = { kind: 'waiting' };

/**
 * Whether a container that has just been started has proven itself: by its own health check, or, where it has none,
 * by running for `gateMs` without an end or a restart. One that ends with 0 has done its work.
 */
export function judge(container: ObservedContainer, gateMs: number): Verdict {
  const { role, lifecycle, health, exitCode } = container;
  if (lifecycle === 'exited' || lifecycle === 'dead' || lifecycle === 'removing') {
    if (lifecycle === 'exited' && exitCode === 0) return { kind: 'ready', ended: true };
    // A swarm ends what is unhealthy.
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

/** Whether a dependency has come as far as another container waits for. */
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
