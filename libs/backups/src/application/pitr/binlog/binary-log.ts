import { Readable } from 'node:stream';
import type { Inventory } from '../../../domain/inventory.js';
import { type BinlogPlace, nameOfPlace, placeOfName } from '../../../domain/pitr/binlog/place.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import type { WalStream } from '../../ports/wal-repository.js';
import type {
  DatabaseLog,
  FinishedLog,
  FinishedSegment,
  LogCopy,
  LogGap,
  LogLook,
  StoredHistory,
} from '../database-log.js';
import { BinlogCopies } from './binlog-copies.js';
import { BinlogRecovery } from './binlog-recovery.js';
import { type BinlogFile, BinlogServer, type BinlogStatus } from './binlog-server.js';
import type { BinlogTools } from './binlog-tools.js';
import { wholeEvents } from './events.js';

/** Log of MariaDB and MySQL: ships the binary log and plays it onto a dump that contains its position in that log. */
export class BinaryLog implements DatabaseLog {
  readonly templates: readonly string[];
  readonly copyFormat = 'sql';
  readonly resolutionMs = 1000;
  readonly #server: BinlogServer;
  readonly #copies: BinlogCopies;
  readonly #recovery: BinlogRecovery;

  constructor(programs: DatabasePrograms, tools: BinlogTools) {
    this.templates = [tools.template];
    this.#server = new BinlogServer(programs, tools);
    this.#copies = new BinlogCopies(programs, this.#server, tools);
    this.#recovery = new BinlogRecovery(programs, this.#server, tools);
  }

  /** Nothing to do: the server always keeps its log for three days. */
  switchOn(): Promise<void> {
    return Promise.resolve();
  }

  switchOff(): Promise<void> {
    return Promise.resolve();
  }

  diskUsedPercent(): Promise<number> {
    return Promise.resolve(0);
  }

  async look(target: DatabaseTarget, { nextSegment }: WalStream, signal: AbortSignal): Promise<LogLook> {
    const status = await this.#server.status(target, signal);
    const from = nextSegment === null ? null : placeOfName(nextSegment);
    const files = status.files.filter(({ number }) => from !== null && number >= from.file);
    const made = await this.#server.made(target, status.folder, files, signal);
    const current = files.at(-1);
    return {
      now: status.at,
      isQuiet:
        from !== null &&
        current?.number === from.file &&
        made.get(from.file) === from.made &&
        current.bytes === from.offset,
      finish: () =>
        Promise.resolve(
          from === null
            ? { gap: 'The archiving of the binary log has not started.' }
            : finished(from, status, files, made),
        ),
    };
  }

  async read(target: DatabaseTarget, { name, bytes }: FinishedSegment, signal: AbortSignal): Promise<Readable> {
    const { file, offset } = placeOfName(name);
    const { files, folder } = await this.#server.status(target, signal);
    const path = `${folder}/${files.find(({ number }) => number === file)?.name ?? ''}`;
    const content = await this.#server.read(target, path, { offset, bytes }, signal);
    return Readable.from(wholeEvents(content, offset), { objectMode: false });
  }

  copy(target: DatabaseTarget, stream: WalStream, last: string | null, signal: AbortSignal): Promise<LogCopy> {
    const { nextSegment } = stream;
    const history =
      nextSegment === null ? (last === null ? 1 : placeOfName(last).history + 1) : placeOfName(nextSegment).history;
    return this.#copies.copy(target, history, signal);
  }

  recover(target: DatabaseTarget, history: StoredHistory, signal: AbortSignal): Promise<void> {
    return this.#recovery.recover(target, history, signal);
  }

  inspect(target: DatabaseTarget, signal: AbortSignal): Promise<Inventory> {
    return this.#server.inspect(target, signal);
  }
}

/** The log since a position: the rest of its file, and the files after it. */
function finished(
  from: BinlogPlace,
  { at, files: all }: BinlogStatus,
  files: readonly BinlogFile[],
  made: ReadonlyMap<number, string>,
): FinishedLog | LogGap {
  const current = files.at(-1);
  const first = files[0];
  if (!current || !first || first.number !== from.file)
    return { gap: `The binary log lacks the file ${named(all, from.file)}.` };
  if (made.get(first.number) !== from.made)
    return { gap: `The file ${first.name} of the binary log has been replaced: the server began a new log.` };
  if (first.bytes < from.offset) return { gap: `The file ${first.name} of the binary log is shorter than it was.` };
  const segments: FinishedSegment[] = [];
  let place = from;
  for (const { number, name, bytes } of files) {
    if (number !== place.file) return { gap: `The binary log lacks the file ${named(all, place.file)}.` };
    const isCurrent = number === current.number;
    const following = { ...place, file: number + 1, made: made.get(number + 1) ?? '', offset: 0 };
    const next = isCurrent ? { ...place, offset: bytes } : following;
    if (!isCurrent && next.made === '') return { gap: `The binary log lacks the file after ${name}.` };
    if (!isCurrent || bytes > place.offset)
      segments.push({
        name: nameOfPlace(place),
        next: nameOfPlace(next),
        markedAt: isCurrent ? at : null,
        bytes: bytes - place.offset,
      });
    place = next;
  }
  return {
    segments,
    next: nameOfPlace(place),
    reachesTo: at,
    quietXid: null,
    forget: () => Promise.resolve(),
  };
}

function named(files: readonly BinlogFile[], number: number): string {
  const { name = '' } = files[0] ?? {};
  return name.replace(/\d+$/, (digits) => String(number).padStart(digits.length, '0'));
}
