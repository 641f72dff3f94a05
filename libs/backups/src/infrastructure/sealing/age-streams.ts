import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

/** Encrypts for everybody in `recipients`, in pieces of 64 KiB. */
export function sealStream(plain: Readable, recipients: () => Promise<ReadonlySet<string>>): Readable {
  return converted(plain, async (source) => {
    const encrypter = new Encrypter();
    for (const recipient of await recipients()) encrypter.addRecipient(recipient);
    return encrypter.encrypt(source);
  });
}

/** Decrypts with whichever of the identities fits. Every piece is authenticated before it is passed on. */
export function openStream(sealed: Readable, identities: () => Promise<readonly string[]>): Readable {
  return converted(sealed, async (source) => {
    const decrypter = new Decrypter();
    for (const identity of await identities()) decrypter.addIdentity(identity);
    return decrypter.decrypt(source);
  });
}

type Conversion = (source: ReadableStream<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>;

function converted(source: Readable, convert: Conversion): Readable {
  // It may fail before anybody reads; the reader hears of it then.
  source.on('error', () => undefined);
  const result = Readable.from(pieces(source, convert), { objectMode: false });
  // Nobody wants the rest: whoever writes into the source must not wait for ever.
  return result.once('close', () => source.destroy());
}

async function* pieces(source: Readable, convert: Conversion): AsyncGenerator<Uint8Array> {
  yield* await convert(ReadableStream.from(source as AsyncIterable<Uint8Array>));
}
