/** What is known of one container of a group. */
export interface MemberHealth {
  readonly lifecycle: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  readonly health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  readonly exitCode: number | null;
  /** Its restart policy has started it again since the last look. */
  readonly restarted: boolean;
}

export type HealthVerdict = 'healthy' | 'unhealthy' | 'starting' | 'none';

/** Worst first. A member without a health check is worse than a healthy one: nobody knows how it is. */
const WORST_FIRST: readonly HealthVerdict[] = ['unhealthy', 'starting', 'none', 'healthy'];

/** As its worst member; `none` without members. */
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
