import { createSocket, type Socket } from 'node:dgram';

const [HEADER_BYTES, TXT, IN] = [12, 16, 1];
const [NO_ERROR, NO_SUCH_NAME] = [0, 3];

/** A DNS server over UDP that only has TXT records. */
export class DnsServer {
  readonly records = new Map<string, readonly (readonly string[])[]>();
  private readonly socket: Socket = createSocket('udp4');

  async start(): Promise<string> {
    this.socket.on('message', (query, { port, address }) => this.socket.send(this.answerTo(query), port, address));
    await new Promise<void>((resolve) => this.socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private answerTo(query: Buffer): Buffer {
    const { name, end } = nameIn(query);
    const question = query.subarray(HEADER_BYTES, end + 4);
    const known = this.records.get(name.toLowerCase());
    const answers = (known ?? []).map(textRecord);
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (known ? NO_ERROR : NO_SUCH_NAME), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    return Buffer.concat([header, question, ...answers]);
  }
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  while (query[at]! > 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + query[at]!));
    at += 1 + query[at]!;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** One TXT record with several strings. Its name is a pointer to the name in the question. */
function textRecord(parts: readonly string[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
