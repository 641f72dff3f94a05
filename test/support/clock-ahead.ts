const NOT_FAKED = [
  ...['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  ...['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
] as const;

/** Sets the clock of this process ahead during `work`. Its timers are not affected. */
export async function whileClockIsAhead<T>(days: number, work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now: Date.now() + days * 86_400_000, doNotFake: [...NOT_FAKED] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}
