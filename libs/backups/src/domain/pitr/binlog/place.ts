/** A place in the binary log of a server. */
export interface BinlogPlace {
  /** Counted up when the log cannot be followed any further: what was shipped before leads nowhere. */
  readonly history: number;
  /** The number at the end of the file's name. */
  readonly file: number;
  /** When the server began the file, as it stands in it: a server that is set up anew uses the same numbers again. */
  readonly made: string;
  readonly offset: number;
}

const NAME = /^(\d{6})-(\d{10})-([0-9a-f]{8})-(\d{12})$/;

/** Sorts as the places follow each other. */
export function nameOfPlace({ history, file, made, offset }: BinlogPlace): string {
  return [digits(history, 6), digits(file, 10), made, digits(offset, 12)].join('-');
}

/** @throws RangeError for a text that is no name of a place */
export function placeOfName(name: string): BinlogPlace {
  const [, history, file, made, offset] = NAME.exec(name) ?? [];
  if (made === undefined) throw new RangeError('this is no name of a place in a binary log');
  return { history: Number(history), file: Number(file), made, offset: Number(offset) };
}

/** `7` for `mariadb-bin.000007` */
export function numberOfFile(name: string): number {
  return Number(/\.(\d+)$/.exec(name)?.[1] ?? Number.NaN);
}

const digits = (value: number, length: number) => String(value).padStart(length, '0');
