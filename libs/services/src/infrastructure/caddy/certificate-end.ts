import tls from 'node:tls';

const TIMEOUT_MS = 5_000;

/**
 * When the certificate that a server presents for the name expires; null if it presents none. The certificate itself is
 * not verified.
 */
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
