import { isSignal } from './stop-signal.js';

describe('a signal', () => {
  it.each(
    'SIGTERM TERM sigterm SigTerm term SIGKILL CHLD CLD IOT POLL SIGSTKFLT VTALRM SIGRTMIN RTMIN+1 SIGRTMIN+15 rtmin+3 RTMAX SIGRTMAX-14 RTMAX-1 1 09 15 64'.split(
      ' ',
    ),
  )('is one that the engine knows: %s', (text) => {
    expect(isSignal(text)).toBe(true);
  });

  it.each([
    ...'SIGFOO SIG SIGSIGTERM UNUSED EMT INFO SIG15 TERM9 RTMIN+0 RTMIN+16 RTMIN-1 RTMAX-15 RTMAX+1 RTMIN+01 0 00 65 99 -9 +9 1.5'.split(
      ' ',
    ),
    ...['', ' TERM', 'TERM\n', 'ﬆop', 'constructor'],
  ])('is not "%s"', (text) => {
    expect(isSignal(text)).toBe(false);
  });
});
