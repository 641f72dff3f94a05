import type { Uuid } from '#kernel/crypto/uuid';
import type { Check, Command, Login } from './checks.js';
import type { Recipe } from './recipe.js';

export interface TemplateVariable {
  readonly name: string;
  readonly type: 'string' | 'password';
  readonly label: string;
  readonly required: boolean;
  /** Null: none, or generated. */
  readonly default: string | null;
  readonly description: string;
  /** What a value must match as a whole. */
  readonly pattern: string;
  /** Made at deploy time when it is empty. */
  readonly generated: boolean;
  /** False: accepted, so that all templates take the same variables, and without effect in this one. */
  readonly applies: boolean;
  /** Values that the database keeps for itself. */
  readonly reserved?: readonly string[];
}

export interface TemplateVolume {
  readonly name: string;
  readonly path: string;
}

export interface TemplatePort {
  readonly port: number;
  readonly protocol: 'http' | 'grpc' | 'tcp';
  /** `internal`: from the same container network; `https`: also through the ingress, when there is one. */
  readonly exposure: 'internal' | 'https';
}

/** What the catalogue shows of a template. */
export interface TemplateRecord {
  readonly id: Uuid;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly category: 'database';
  readonly kind: string;
  /** The series that people know, `16`. */
  readonly version: string;
  readonly image: TemplateImage;
  /** How many numbers of a version make a series, within which data stay as they are: 1 for 16, 2 for 8.4. */
  readonly seriesParts: number;
  readonly defaultPort: number;
  readonly minRamMb: number;
  readonly security: 'secure';
  readonly tags: readonly string[];
  readonly documentationUrl: string;
  readonly variables: readonly TemplateVariable[];
  readonly volumes: readonly TemplateVolume[];
  readonly ports: readonly TemplatePort[];
  readonly backup: { readonly method: string; readonly supportsPitr: boolean };
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TemplateImage {
  /** With the registry's own folders: `library/postgres`. */
  readonly repository: string;
  /** Names a series within which data stay as they are: `16-bookworm`. The registry moves it to the newest patch. */
  readonly tag: string;
  /** The variable of the image in which its vendor states the exact version. */
  readonly versionVariable: string | null;
}

/** What one database is made from. */
export interface TemplateInput {
  readonly serviceName: string;
  /** DB_NAME and DB_USER, defaults filled in; empty where they do not apply. */
  readonly database: string;
  readonly user: string;
  readonly memoryMb: number;
  readonly cpuCores: number;
}

/** How clients connect. */
export interface Access {
  readonly port: number;
  readonly database: string | null;
  readonly username: string | null;
  readonly connectionString: (host: string, password: string) => string;
  /** The password is a key that goes with every request, not a login. */
  readonly isApiKey: boolean;
}

/** How a password is changed in a running database; null: only a new container takes the new one. */
export type PasswordChange = ((input: TemplateInput) => Command) | null;

/** A template is this data and these small pure functions; everything else is the ordinary way of a service. */
export interface Template extends TemplateRecord {
  /** Secrets that are generated for each service beside its variables. */
  readonly ownSecrets: readonly string[];
  readonly recipe: (input: TemplateInput) => Recipe;
  readonly access: (input: TemplateInput) => Access;
  /** A login of the service's user with the password that the named secret holds. */
  readonly login: (input: TemplateInput, password: string) => Login;
  /** What must hold before a deployment counts as done, run in this order. Each may be run again. */
  readonly checks: (input: TemplateInput) => readonly Check[];
  /** Prints the exact version of the server. */
  readonly serverVersion: (input: TemplateInput) => Command;
  readonly changePassword: PasswordChange;
  /** Whose people may see the password: the vector database's key is for admins alone. */
  readonly credentialsForAdminsAlone: boolean;
}

/** The secret that DB_PASSWORD holds. */
export const PASSWORD = 'DB_PASSWORD';
/** The secret that a password is changed to. */
export const NEW_PASSWORD = 'NEW_PASSWORD';
/** A password that no service has: logging in with it must fail. */
export const WRONG_PASSWORD = 'WRONG_PASSWORD';
