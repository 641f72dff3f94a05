/** Increased whenever archives become unreadable for older releases. */
export const ARCHIVE_FORMAT = 1;

export const MANIFEST = 'manifest.json';
/** The key ring, in the format of `.data/secrets.json`. */
export const SECRETS = 'secrets.json';
/** The last entry. An archive without it is incomplete. */
export const FIGURES = 'figures.json';

export interface ArchiveTable {
  /** `schema.table`, quoted where necessary. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** The first entry, which describes the archive. */
export interface ArchiveManifest {
  readonly format: number;
  readonly createdAt: string;
  readonly postgresVersion: string;
  /** The migrations that had been applied, oldest first. */
  readonly migrations: readonly string[];
  readonly tables: readonly ArchiveTable[];
}

export interface ArchiveSecrets {
  readonly secretsKeys: string;
}

/** The last entry, which a restore compares with the rows it has loaded. */
export interface ArchiveFigures {
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  readonly sequences: Readonly<Record<string, string>>;
}

/** Name of the entry with one piece of a table's rows, in COPY's text format. Pieces are counted from zero. */
export const pieceName = (table: string, piece: number): string =>
  `rows/${table}/${String(piece).padStart(6, '0')}.copy`;

export const tableOf = (entry: string): string | null => /^rows\/(.+)\/\d+\.copy$/.exec(entry)?.[1] ?? null;
