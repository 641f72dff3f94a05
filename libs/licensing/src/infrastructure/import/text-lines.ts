const NEWLINE = 0x0a;
/** Far longer than any real line. Bounds the memory for input without line ends. */
const MAX_LINE_BYTES = 1_048_576;

export interface TextLine {
  /** Counted from 1, empty lines included. */
  readonly number: number;
  /** Null if the line is not UTF-8 or longer than 1 MiB. */
  readonly text: string | null;
  /** Length of the line including its end. */
  readonly bytes: number;
}

/** The lines of a byte stream, ended by LF or CRLF; a byte order mark at the beginning is skipped. */
export async function* textLines(source: AsyncIterable<Buffer>): AsyncGenerator<TextLine> {
  let parts: Buffer[] = [];
  let pending = 0;
  let number = 0;
  const line = (bytes: number): TextLine => {
    number++;
    const text = pending > MAX_LINE_BYTES ? null : decoded(Buffer.concat(parts), number);
    parts = [];
    pending = 0;
    return { number, text, bytes };
  };
  const keep = (part: Buffer) => {
    pending += part.length;
    if (pending <= MAX_LINE_BYTES) parts.push(part);
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield line(pending + 1);
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (pending > 0) yield line(pending);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer, number: number): string | null {
  try {
    const text = UTF_8.decode(bytes);
    return number === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  } catch {
    return null;
  }
}
