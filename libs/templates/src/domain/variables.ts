import { Invalid, type Violation } from '#kernel/errors';
import { toPointer } from '#kernel/text/json-pointer';
import { PASSWORD, type Template, type TemplateVariable } from './template.js';

/** The checked variables of a request. */
export interface CheckedVariables {
  readonly serviceName: string;
  readonly database: string;
  readonly user: string;
  /** Null if it is to be generated. */
  readonly password: string | null;
}

/**
 * @param given the values of the request by name; an empty one counts as omitted
 * @param name of the service, from which the host name is derived if SERVICE_NAME is omitted
 * @throws Invalid with every variable that is unknown or wrong; a password is never repeated
 */
export function checkVariables(
  template: Pick<Template, 'variables'>,
  given: ReadonlyMap<string, string>,
  name: string,
): CheckedVariables {
  const known = new Map(template.variables.map((variable) => [variable.name, variable]));
  const violations: Violation[] = [...given.keys()]
    .filter((key) => !known.has(key))
    .map((key) =>
      at(key, 'unknown_field', `is not a variable of this template, which has ${[...known.keys()].join(', ')}`),
    );
  const valueOf = (key: string) => given.get(key) || null;
  for (const variable of template.variables) {
    const value = valueOf(variable.name);
    const problem = value === null ? null : problemOf(variable, value);
    if (problem !== null) violations.push(at(variable.name, 'invalid_format', problem));
  }
  const serviceName = valueOf('SERVICE_NAME') ?? hostNameOf(name);
  if (serviceName === '')
    violations.push(at('SERVICE_NAME', 'required', 'is required: no host name can be derived from the name'));
  const [first] = violations;
  if (first)
    throw new Invalid(
      'validation',
      violations.length === 1 ? first.message : `${violations.length} variables are invalid`,
      violations,
    );
  const filled = (key: string) => {
    const variable = known.get(key);
    return variable?.applies ? (valueOf(key) ?? variable.default ?? '') : '';
  };
  return { serviceName, database: filled('DB_NAME'), user: filled('DB_USER'), password: valueOf(PASSWORD) };
}

function problemOf({ pattern, reserved = [], type, applies }: TemplateVariable, value: string): string | null {
  if (!applies) return null;
  if (!new RegExp(pattern).test(value))
    return type === 'password' ? `must be ${PASSWORD_RULE}` : `must match ${pattern}`;
  return reserved.includes(value.toLowerCase()) ? `must not be ${value}: the database reserves that name` : null;
}

function at(name: string, code: string, problem: string): Violation {
  return { path: toPointer(['variables', name]), code, message: `variables.${name} ${problem}` };
}

/**
 * Derives a host name from a display name: "Shop database" becomes `shop-database`. Empty if no character can be used.
 */
export function hostNameOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}

export const PASSWORD_PATTERN = '^(?!.*[\'"\\\\$`])[!-~]{12,128}$';
const PASSWORD_RULE = 'of 12 to 128 printable ASCII characters, without blanks, quotes, backslash, dollar and backtick';

const IDENTIFIER = '^[a-z_][a-z0-9_]{0,62}$';

/** The variables that every template takes. */
export interface VariableChoices {
  readonly databaseApplies: boolean;
  readonly userApplies: boolean;
  readonly defaultUser?: string | null;
  readonly userPattern?: string;
  readonly reservedDatabases?: readonly string[];
  readonly reservedUsers?: readonly string[];
  readonly passwordDescription?: string;
}

export function commonVariables(choices: VariableChoices): readonly TemplateVariable[] {
  const { databaseApplies, userApplies, defaultUser = 'app', userPattern = IDENTIFIER } = choices;
  const none = 'Accepted without effect: this database has none.';
  return [
    {
      name: 'SERVICE_NAME',
      type: 'string',
      label: 'Host name',
      required: true,
      default: null,
      description: 'The name under which clients on the same network reach the database. Derived from `name` if empty.',
      pattern: '^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$',
      generated: true,
      applies: true,
    },
    {
      name: 'DB_NAME',
      type: 'string',
      label: 'Database',
      required: false,
      default: databaseApplies ? 'app' : null,
      description: databaseApplies ? 'The database that is created at first.' : none,
      pattern: IDENTIFIER,
      generated: false,
      applies: databaseApplies,
      reserved: choices.reservedDatabases ?? [],
    },
    {
      name: 'DB_USER',
      type: 'string',
      label: 'User',
      required: false,
      default: userApplies ? defaultUser : null,
      description: userApplies ? 'The user that clients log in as.' : none,
      pattern: userPattern,
      generated: false,
      applies: userApplies,
      reserved: choices.reservedUsers ?? [],
    },
    {
      name: PASSWORD,
      type: 'password',
      label: 'Password',
      required: false,
      default: null,
      description: `${choices.passwordDescription ?? 'The password of the user.'} Generated if empty.`,
      pattern: PASSWORD_PATTERN,
      generated: true,
      applies: true,
    },
  ];
}
