/**
 * The log output of an instance under development: readable lines on a terminal, otherwise JSON.
 * @returns {Promise<'inherit' | NodeJS.WritableStream>}
 */
export async function developmentLog(stdout = process.stdout) {
  if (!stdout.isTTY) return 'inherit';
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,process',
    messageFormat: '{process}: {msg}',
    singleLine: true,
    destination: 1,
    sync: true,
  });
}
