import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends bytes that no HTTP client would send, and reads until the server closes the connection or the timeout. */
export function rawRequest(baseUrl: string, bytes: string, timeoutMs = 3_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      const [head = '', ...rest] = received.split('\r\n\r\n');
      const [statusLine = '', ...lines] = head.split('\r\n');
      const pairs = lines.map((line) => [
        line.split(':', 1)[0]?.toLowerCase() ?? '',
        line.slice(line.indexOf(':') + 1).trim(),
      ]);
      resolve({
        status: Number(statusLine.split(' ')[1]),
        headers: Object.fromEntries(pairs) as Record<string, string>,
        body: rest.join('\r\n\r\n'),
      });
    };
    const timer = setTimeout(finish, timeoutMs);
    socket.on('data', (chunk) => (received += chunk.toString('utf8')));
    socket.on('close', finish);
    socket.on('error', (error) => (received ? finish() : reject(error)));
  });
}
