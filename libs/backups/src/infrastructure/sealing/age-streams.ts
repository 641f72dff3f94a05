import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

/** Encrypts for all `recipients`. The age format works in chunks of 64 KiB, so memory does not grow with the size. */
export function sealStream(plain: Readable, recipients: () => Promise<ReadonlySet<string>>): Readable {
  return converted(plain, async (source) => {
    const encrypter = new Encrypter();
    for (const recipient of await recipients()) encrypter.addRecipient(recipient);
    return encrypter.encrypt(source);
  });
}

/** Decrypts with the first of `identities` that fits. Every chunk is authenticated before it is passed on. */
export function openStream(sealed: Readable, identities: () => Promise<readonly string[]>): Readable {
  return converted(sealed, async (source) => {
    const decrypter = new Decrypter();
    for (const identity of await identities()) decrypter.addIdentity(identity);
    return decrypter.decrypt(source);
  });
}

type Conversion = (source: ReadableStream<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>;

function converted(source: Readable, convert: Conversion): Readable {
  // An error before anybody reads must not end the process; the reader gets it when it starts.
  source.on('error', () => undefined);
  const result = Readable.from(pieces(source, convert), { objectMode: false });
  // The reader has stopped early: end the source too, so that its writer does not wait forever.
  return result.once('close', () => source.destroy());
}

async function* pieces(source: Readable, convert: Conversion): AsyncGenerator<Uint8Array> {
  yield* await convert(ReadableStream.from(source as AsyncIterable<Uint8Array>));
}
