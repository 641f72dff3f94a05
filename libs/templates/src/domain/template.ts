import type { Uuid } from '#kernel/crypto/uuid';
import type { Check, Command, Login } from './checks.js';
import type { Recipe } from './recipe.js';

export interface TemplateVariable {
  readonly name: string;
  readonly type: 'string' | 'password';
  readonly label: string;
  readonly required: boolean;
  /** Null if there is none, or it is generated. */
  readonly default: string | null;
  readonly description: string;
  /** A pattern that the whole value must match. */
  readonly pattern: string;
  /** Generated at deploy time if it is empty. */
  readonly generated: boolean;
  /**
   * False if it has no effect in this template. It is still accepted, so that all templates have the same variables.
   */
  readonly applies: boolean;
  /** Values reserved by the database. */
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

/** The public description of a template. */
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
  /** How many numbers of a version identify a series with compatible data: 1 for 16, 2 for 8.4. */
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
  /** The tag of a series with compatible data: `16-bookworm`. The registry moves it to the newest patch. */
  readonly tag: string;
  /** The variable of the image in which its vendor states the exact version. */
  readonly versionVariable: string | null;
}

/** The parameters of one database. */
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
  /** True if the password is an API key that is sent with every request. */
  readonly isApiKey: boolean;
}

/** How to change a password in a running database; null if that needs a new container. */
export type PasswordChange = ((input: TemplateInput) => Command) | null;

/** A template consists of this data and these pure functions. Everything else works as for any service. */
export interface Template extends TemplateRecord {
  /** Secrets that are generated for each service beside its variables. */
  readonly ownSecrets: readonly string[];
  readonly recipe: (input: TemplateInput) => Recipe;
  readonly access: (input: TemplateInput) => Access;
  /** A login of the service's user with the password that the named secret holds. */
  readonly login: (input: TemplateInput, password: string) => Login;
  /** Checks that must succeed before a deployment is done, in this order. Each may be repeated. */
  readonly checks: (input: TemplateInput) => readonly Check[];
  /** Prints the exact version of the server. */
  readonly serverVersion: (input: TemplateInput) => Command;
  readonly changePassword: PasswordChange;
  /** True if only admins may see the password, as for the key of the vector database. */
  readonly credentialsForAdminsAlone: boolean;
}

/** The name of the secret with the current password. */
export const PASSWORD = 'DB_PASSWORD';
/** The name of the secret with the new password, during a change. */
export const NEW_PASSWORD = 'NEW_PASSWORD';
/** The name of a secret with a wrong password. Logging in with it must fail. */
export const WRONG_PASSWORD = 'WRONG_PASSWORD';
