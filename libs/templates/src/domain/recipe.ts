/** A placeholder for a secret, replaced when the container is created. */
export interface SecretReference {
  readonly secret: string;
}

/** A text with placeholders for secrets: `['requirepass ', secret('DB_PASSWORD')]`. */
export type Text = string | readonly (string | SecretReference)[];

export function secret(name: string): SecretReference {
  return { secret: name };
}

/** @param clear gives the value of a secret by its name */
export function resolveText(text: Text, clear: (name: string) => string): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : clear(part.secret))).join('');
}

/** A file that is written into the container before it starts. */
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

/**
 * The container of a database, as far as its template defines it. Limits, networks and names are added by the caller.
 */
export interface Recipe {
  readonly command: readonly string[] | null;
  readonly environment: Readonly<Record<string, Text>>;
  readonly files: readonly RecipeFile[];
  readonly probe: Probe;
  /** The signal for a clean shutdown. Set explicitly, because a mirrored image may have lost it. */
  readonly stopSignal: string;
  /** Size of /dev/shm; null for the engine's default of 64 MB. */
  readonly shmMb: number | null;
}

/** The folder of secrets in a container. */
export const SECRETS_FOLDER = '/run/panel-secrets';

/** Docker's default of 10 seconds could kill a database while it writes its pages. */
export const STOP_GRACE_SECONDS = 120;
