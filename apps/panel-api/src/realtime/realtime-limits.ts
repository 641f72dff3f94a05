/** What one socket, one credential and one process may use. Times in milliseconds. */
export abstract class RealtimeLimits {
  /** Of one frame or message of a client. */
  abstract readonly messageBytes: number;
  /** Of a client, in the long run; three seconds' worth at once. */
  abstract readonly messagesPerSecond: number;
  abstract readonly subscriptions: number;
  abstract readonly socketsPerCredential: number;
  /** That wait for their `auth`, by address. */
  abstract readonly unauthenticatedPerAddress: number;
  abstract readonly authentication: number;
  abstract readonly heartbeat: number;
  abstract readonly recheck: number;
  abstract readonly metrics: number;
  abstract readonly feedPoll: number;
  /** Events and lines that a resumed subscription is given at most. */
  abstract readonly ring: number;
  /** Unsent bytes from which on log lines are dropped. */
  abstract readonly slowBytes: number;
  /** Unsent bytes at which the socket is given up. */
  abstract readonly mostBytes: number;
}

export const REALTIME_LIMITS: RealtimeLimits = {
  messageBytes: 16 * 1024,
  messagesPerSecond: 20,
  subscriptions: 100,
  socketsPerCredential: 100,
  unauthenticatedPerAddress: 20,
  authentication: 5_000,
  heartbeat: 30_000,
  recheck: 60_000,
  metrics: 10_000,
  feedPoll: 200,
  ring: 500,
  slowBytes: 1024 * 1024,
  mostBytes: 8 * 1024 * 1024,
};

export const MAX_TAIL = 1_000;
export const DEFAULT_TAIL = 100;
