import tls from 'node:tls';

const TIMEOUT_MS = 5_000;

/** When the certificate ends that a server shows for the name; null when it shows none. Nothing else is trusted of it. */
export function certificateEnd(
  servername: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Date | null> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host, port, servername, rejectUnauthorized: false, timeout: TIMEOUT_MS }, () => {
      const end = new Date(socket.getPeerCertificate().valid_to);
      finish(Number.isNaN(end.getTime()) ? null : end);
    });
    const finish = (end: Date | null) => {
      socket.destroy();
      resolve(end);
    };
    socket.on('error', () => finish(null));
    socket.on('timeout', () => finish(null));
  });
}
