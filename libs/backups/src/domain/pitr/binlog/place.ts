/** A position in the binary log of a server. */
export interface BinlogPlace {
  /** Counted up when the log has a gap: segments of an earlier history cannot be played on into this one. */
  readonly history: number;
  /** The number at the end of the file's name. */
  readonly file: number;
  /** When the server created the file, in hexadecimal: a server that is set up again reuses the file numbers. */
  readonly made: string;
  readonly offset: number;
}

const NAME = /^(\d{6})-(\d{10})-([0-9a-f]{8})-(\d{12})$/;

/** A name whose alphabetical order is the order of the positions. */
export function nameOfPlace({ history, file, made, offset }: BinlogPlace): string {
  return [digits(history, 6), digits(file, 10), made, digits(offset, 12)].join('-');
}

/** The inverse of `nameOfPlace`. @throws RangeError when the text is not such a name */
export function placeOfName(name: string): BinlogPlace {
  const [, history, file, made, offset] = NAME.exec(name) ?? [];
  if (made === undefined) throw new RangeError('this is no name of a place in a binary log');
  return { history: Number(history), file: Number(file), made, offset: Number(offset) };
}

/** `7` for `mariadb-bin.000007`; NaN when the name does not end in a number. */
export function numberOfFile(name: string): number {
  return Number(/\.(\d+)$/.exec(name)?.[1] ?? Number.NaN);
}

const digits = (value: number, length: number) => String(value).padStart(length, '0');
