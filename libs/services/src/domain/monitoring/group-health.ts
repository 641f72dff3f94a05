/** What is known about one container of a group. */
export interface MemberHealth {
  readonly lifecycle: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  readonly health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  readonly exitCode: number | null;
  /** Its restart policy has started it again since the previous reading. */
  readonly restarted: boolean;
}

export type HealthVerdict = 'healthy' | 'unhealthy' | 'starting' | 'none';

/** Worst first. A member without a health check is worse than a healthy one, because its health is unknown. */
const WORST_FIRST: readonly HealthVerdict[] = ['unhealthy', 'starting', 'none', 'healthy'];

/** The health of the worst member, or `none` without members. */
export function groupHealth(members: readonly MemberHealth[]): HealthVerdict {
  const verdicts = new Set(members.map(memberHealth));
  return WORST_FIRST.find((verdict) => verdicts.has(verdict)) ?? 'none';
}

function memberHealth({ lifecycle, health, exitCode, restarted }: MemberHealth): HealthVerdict {
  switch (lifecycle) {
    case 'created':
      return 'starting';
    case 'exited':
      return exitCode === 0 ? 'healthy' : 'unhealthy';
    case 'running':
      return restarted ? 'unhealthy' : health;
    case 'paused':
    case 'restarting':
    case 'removing':
    case 'dead':
      return 'unhealthy';
  }
}
