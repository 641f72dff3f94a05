/** The reasons why the server closes a socket. */
export const CLOSE = {
  shuttingDown: 1012,
  binary: 1003,
  /** The caller is not authenticated, or no longer. */
  unauthenticated: 4401,
  /** The credential has no permission to watch anything. */
  forbidden: 4403,
  /** The user of the credential has no organisation. */
  nothingThere: 4404,
  /** The client does not answer pings, or does not read. */
  silent: 4408,
  /** Too many messages, subscriptions or sockets. */
  tooMuch: 4429,
} as const;
