import type { Deployment, ServiceStatus } from '../../api/types';
import { Badge, type Tone } from '../../ui/badge';

const SERVICE_TONES: Readonly<Partial<Record<ServiceStatus, Tone>>> = {
  running: 'good',
  error: 'bad',
  suspended: 'warn',
  stopped: 'neutral',
};

/** Every status that is not listed is a way to another one. */
export const StatusBadge = ({ status }: { status: ServiceStatus }) => (
  <Badge tone={SERVICE_TONES[status] ?? 'busy'}>{status}</Badge>
);

const DEPLOYMENT_TONES: Readonly<Record<Deployment['status'], Tone>> = {
  queued: 'busy',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'warn',
  superseded: 'neutral',
};

export const DeploymentBadge = ({ status }: { status: Deployment['status'] }) => (
  <Badge tone={DEPLOYMENT_TONES[status]}>{status}</Badge>
);
