/** Limits per socket, credential and process. Times are in milliseconds. */
export abstract class RealtimeLimits {
  /** Maximum size of a frame or message of a client. */
  abstract readonly messageBytes: number;
  /** Average rate of a client. Bursts of three seconds' worth are allowed. */
  abstract readonly messagesPerSecond: number;
  abstract readonly subscriptions: number;
  abstract readonly socketsPerCredential: number;
  /** Sockets per address that have not sent their `auth` yet. */
  abstract readonly unauthenticatedPerAddress: number;
  abstract readonly authentication: number;
  abstract readonly heartbeat: number;
  abstract readonly recheck: number;
  abstract readonly metrics: number;
  abstract readonly feedPoll: number;
  /** Maximum number of missed events or lines that a resumed subscription gets. */
  abstract readonly ring: number;
  /** Unsent bytes above which log lines are dropped. */
  abstract readonly slowBytes: number;
  /** Unsent bytes above which the socket is closed. */
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
