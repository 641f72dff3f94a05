const NAMES =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP ' +
  'TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';
const MAX_AFTER_RTMIN = 15;
const MAX_BEFORE_RTMAX = 14;
const MAX_NUMBER = 64;

const known: ReadonlySet<string> = new Set([
  ...NAMES.split(' '),
  ...Array.from({ length: MAX_AFTER_RTMIN }, (_, index) => `RTMIN+${index + 1}`),
  ...Array.from({ length: MAX_BEFORE_RTMAX }, (_, index) => `RTMAX-${index + 1}`),
]);

/** Accepts what the engine accepts: a signal number of Linux, or a name in any case, with or without `SIG`. */
export function isSignal(text: string): boolean {
  if (/^\d{1,2}$/.test(text)) return Number(text) >= 1 && Number(text) <= MAX_NUMBER;
  // Only ASCII, because the capitals of other letters may be ASCII: `ﬆop` would become STOP.
  return /^[A-Za-z0-9+-]+$/.test(text) && known.has(text.toUpperCase().replace(/^SIG/, ''));
}
