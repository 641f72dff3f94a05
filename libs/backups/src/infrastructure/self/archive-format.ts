/** Counted up when an older release cannot read what a newer one writes. */
export const ARCHIVE_FORMAT = 1;

export const MANIFEST = 'manifest.json';
/** The key ring in the form of .data/secrets.json. */
export const SECRETS = 'secrets.json';
/** The last entry: an archive without it was cut off. */
export const FIGURES = 'figures.json';

export interface ArchiveTable {
  /** `schema.table`, quoted where that is needed. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** What an archive says of itself before its rows. */
export interface ArchiveManifest {
  readonly format: number;
  readonly createdAt: string;
  readonly postgresVersion: string;
  /** The migrations that made the tables, oldest first. */
  readonly migrations: readonly string[];
  readonly tables: readonly ArchiveTable[];
}

export interface ArchiveSecrets {
  readonly secretsKeys: string;
}

/** What it says of itself after its rows. */
export interface ArchiveFigures {
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  readonly sequences: Readonly<Record<string, string>>;
}

/** The rows of a table are cut into pieces, in COPY's text format. */
export const pieceName = (table: string, piece: number): string =>
  `rows/${table}/${String(piece).padStart(6, '0')}.copy`;

export const tableOf = (entry: string): string | null => /^rows\/(.+)\/\d+\.copy$/.exec(entry)?.[1] ?? null;
