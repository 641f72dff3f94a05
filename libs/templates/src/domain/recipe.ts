/** The name of a secret that stands in a text until the container is made. */
export interface SecretReference {
  readonly secret: string;
}

/** A text that may hold secrets without knowing them: `['requirepass ', secret('DB_PASSWORD')]`. */
export type Text = string | readonly (string | SecretReference)[];

export function secret(name: string): SecretReference {
  return { secret: name };
}

/** @param clear gives the value of a secret by its name */
export function resolveText(text: Text, clear: (name: string) => string): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : clear(part.secret))).join('');
}

/** A file that is written into the container before it starts; it holds a secret or names none. */
export interface RecipeFile {
  /** Unique in the recipe: letters, digits and dashes. */
  readonly name: string;
  /** Absolute path in the container. */
  readonly path: string;
  readonly content: Text;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits, 0o400. */
  readonly mode: number;
}

/** The database's own readiness command. It must not succeed while an entrypoint's temporary server runs. */
export interface Probe {
  readonly test: readonly ['CMD' | 'CMD-SHELL', ...string[]];
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly retries: number;
  /** Failures within it do not count. */
  readonly startPeriodSeconds: number;
}

/** One container of a database: everything that its template decides. Limits, networks and names come from outside. */
export interface Recipe {
  readonly command: readonly string[] | null;
  readonly environment: Readonly<Record<string, Text>>;
  readonly files: readonly RecipeFile[];
  readonly probe: Probe;
  /** What asks the database to end in good order; a mirrored image may have lost its own. */
  readonly stopSignal: string;
  /** Size of /dev/shm; null: the engine's 64 MB. */
  readonly shmMb: number | null;
}

/** Where secrets lie in a container. */
export const SECRETS_FOLDER = '/run/panel-secrets';

/** Docker's default of 10 seconds would kill a database in the middle of writing its pages. */
export const STOP_GRACE_SECONDS = 120;
