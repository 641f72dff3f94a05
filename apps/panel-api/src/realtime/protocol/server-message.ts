import { problemOf } from '#platform/problem';
import { errorDetails, panelErrorCode } from '../../http/panel-error-body.js';

/** All message types that the server sends. */
export const SERVER_TYPES = [
  'hello',
  'subscribed',
  'unsubscribed',
  'pong',
  'error',
  'service.status',
  'service.health',
  'service.metrics',
  'service.log',
  'service.log.gap',
  'service.removed',
  'deployment.status',
  'deployment.step',
  'deployment.log',
  'analysis.status',
  'analysis.progress',
  'analysis.completed',
  'analysis.failed',
  'backup.status',
  'session.expired',
] as const;
export type ServerType = (typeof SERVER_TYPES)[number];

export interface ServerMessage {
  readonly type: ServerType;
  /** The id of the client's message that this answers. */
  readonly id?: string;
  readonly channel?: string;
  readonly seq?: number;
  readonly at: Date;
  readonly data: object;
}

export function encode({ type, id, channel, seq, at, data }: ServerMessage): string {
  return JSON.stringify({ v: 1, type, id, channel, seq, ts: at.toISOString(), data });
}

/** The error as the client sees it: the same code and message as in REST. */
export function errorData(error: unknown): object {
  const { status, slug, message, violations } = problemOf(error);
  return {
    code: panelErrorCode(status, slug),
    message,
    ...errorDetails(violations),
  };
}
