import type { Service } from '../../api/types';

export interface StatusReason {
  readonly code: string;
  readonly message: string;
  readonly deploymentId: string | null;
  readonly at: string;
}

/** Why a service is in error, or was stopped by the panel. */
export function statusReason(service: Service): StatusReason | null {
  return 'statusReason' in service ? ((service as { statusReason: StatusReason | null }).statusReason ?? null) : null;
}
