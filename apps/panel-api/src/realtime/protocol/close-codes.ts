/** Why the server closes a socket. */
export const CLOSE = {
  shuttingDown: 1012,
  binary: 1003,
  /** Not, or no longer, authenticated. */
  unauthenticated: 4401,
  /** The credential allows nothing that can be watched. */
  forbidden: 4403,
  /** The credential belongs to no organisation whose services could be watched. */
  nothingThere: 4404,
  /** It is silent, or does not read what it is sent. */
  silent: 4408,
  /** Too many messages, subscriptions or sockets. */
  tooMuch: 4429,
} as const;
