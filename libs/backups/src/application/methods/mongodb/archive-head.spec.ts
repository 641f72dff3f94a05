import { EJSON, serialize } from 'bson';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ArchiveHead } from './archive-head.js';
import { canMove, objectsOf } from './collection-facts.js';

const MAGIC = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);
const MARK = Buffer.alloc(4, 0xff);
const HEADER = { concurrent_collections: 4, version: '0.1', server_version: '7.0.28', tool_version: '100.13.0' };
const ID = { v: 2, key: { _id: 1 }, name: '_id_' };

function defined(collection: string, options: object, indexes: readonly object[]): object {
  const metadata = EJSON.stringify({ options, indexes, uuid: '', collectionName: collection }, { relaxed: false });
  return { db: 'shop', collection, metadata, size: 0, type: 'collection' };
}

function archive(...definitions: readonly object[]): Buffer {
  const body = Buffer.concat([serialize({ db: 'shop', collection: 'books', EOF: true, CRC: 0 }), MARK]);
  return Buffer.concat([MAGIC, serialize(HEADER), ...definitions.map((each) => serialize(each)), MARK, body]);
}

async function read(bytes: Buffer, cut = 1 << 20): Promise<ArchiveHead> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, at) =>
    bytes.subarray(at * cut, (at + 1) * cut),
  );
  const head = new ArchiveHead();
  expect(await buffer(Readable.from(chunks).pipe(head))).toEqual(bytes);
  return head;
}

describe('the head of an archive of mongodump', () => {
  const bytes = archive(
    defined('books', { validator: { price: { $gt: 0 } } }, [
      ID,
      { v: 2, key: { isbn: 1 }, name: 'isbn_1', unique: true },
      { v: 2, key: { old: 1 }, name: 'old_1', unique: 1 },
      { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 0 },
    ]),
    defined('cheap', { viewOn: 'books', pipeline: [] }, []),
    defined('heat', { timeseries: { timeField: 'at' } }, [{ v: 2, key: { at: 1 }, name: 'at_1' }]),
    defined('system.js', {}, [ID]),
  );

  it.each([1 << 20, 100, 1])(
    'lists the collections, regardless of chunk boundaries: chunks of %i bytes',
    async (cut) => {
      const { collections } = await read(bytes, cut);
      expect(collections?.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
        'books: collection',
        'cheap: view',
        'heat: time series',
        'system.js: stored functions',
      ]);
      expect(objectsOf(collections ?? [])).toEqual({
        collection: 1,
        view: 1,
        'time series': 1,
        'stored functions': 1,
        validator: 1,
        index: 5,
        'unique index': 2,
        'TTL index': 1,
      });
    },
  );

  it('shows which collections cannot be renamed', async () => {
    const kept = async (definition: object) => {
      const { collections } = await read(archive(definition));
      return canMove({ objects: objectsOf(collections ?? []) });
    };
    expect(await kept(defined('books', {}, [ID]))).toBe(true);
    expect(await kept(defined('heat', { timeseries: {} }, []))).toBe(false);
    expect(await kept(defined('system.js', {}, [ID]))).toBe(false);
  });

  it('has no list when the definition of a collection is missing because it was dropped meanwhile', async () => {
    const { collections } = await read(
      archive(defined('books', {}, [ID]), { db: 'shop', collection: 'gone', metadata: '' }),
    );
    expect(collections).toBeNull();
  });

  it.each([
    ['is no archive', Buffer.from('not an archive at all')],
    ['is empty', Buffer.alloc(0)],
    ['ends in its head', archive(defined('books', {}, [ID])).subarray(0, 200)],
  ])('fails a stream that %s', async (_, stream) => {
    await expect(buffer(Readable.from(stream.length > 0 ? [stream] : []).pipe(new ArchiveHead()))).rejects.toThrow(
      'mongodump wrote no archive.',
    );
  });
});
