import type { Caller } from '#libs/panel-auth';
import { MAX_TAIL, type RealtimeLimits } from '../realtime-limits.js';

/** The first message of the server: the identity of the caller and the limits of the socket. */
export function helloData(caller: Caller, limits: RealtimeLimits): object {
  const isAdmin = caller.role === 'admin';
  return {
    user: { id: caller.user.id, email: caller.user.email },
    role: caller.role,
    credential: caller.credential.kind,
    organisationId: isAdmin ? caller.binding : caller.home,
    permissions: [...(isAdmin ? caller.permissions : caller.permissionsAtHome)].sort(),
    limits: {
      messageBytes: limits.messageBytes,
      messagesPerSecond: limits.messagesPerSecond,
      subscriptions: limits.subscriptions,
      heartbeatSeconds: limits.heartbeat / 1000,
      ring: limits.ring,
      tail: MAX_TAIL,
    },
  };
}
