import { z } from 'zod';
import { SecretText } from '#kernel/crypto/secret-text';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';

const DEFAULT_EDITIONS = 'power-user,web-host,web-pro,web-admin';
const EDITION = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** One entry of EDITIONS. The policy is the id of Keygen's policy, or null. */
interface EditionSetting {
  readonly edition: string;
  readonly policyId: Uuid | null;
}

/** A host such as `api.keygen.sh`, with scheme and port if they are not https and 443. Parsed to an origin. */
const keygenHost = z.string().transform((text, context) => {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const plain = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (plain && (url.protocol === 'https:' || LOOPBACK.test(url.hostname))) return url.origin;
  context.addIssue({ code: 'custom', message: 'must be a host name; http:// is allowed for this machine only' });
  return z.NEVER;
});

const editions = z
  .string()
  .default(DEFAULT_EDITIONS)
  .transform((text, context) => {
    const entries = text.split(',').map((entry) => entry.trim());
    const parsed = entries.map((entry) => editionSetting(entry));
    const known = parsed.filter((entry) => entry !== null);
    const distinct = new Set(known.map((entry) => entry.edition)).size;
    if (known.length === entries.length && distinct === entries.length) return known;
    const message = 'must be a comma-separated list of editions, each once, as name or name=<policy uuid>';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** The settings of the license service; every process that changes licenses includes them and `refuseHalfKeygen`. */
export const licenseServiceSettings = {
  LICENSE_SERVICE: z.enum(['local', 'keygen'], 'must be local or keygen').default('local'),
  KEYGEN_HOST: keygenHost.optional(),
  KEYGEN_ACCOUNT_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,255}$/, 'must be the id or the slug of a Keygen account')
    .optional(),
  KEYGEN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be a token without spaces')
    .transform((text) => new SecretText(text))
    .optional(),
  EDITIONS: editions,
};

export type LicenseServiceSettings = z.output<z.ZodObject<typeof licenseServiceSettings>>;

/** Zod's check over the whole object: with `keygen` its variables are required and every edition needs a policy. */
export function refuseHalfKeygen(settings: LicenseServiceSettings, context: z.RefinementCtx): void {
  if (settings.LICENSE_SERVICE !== 'keygen') return;
  for (const name of ['KEYGEN_HOST', 'KEYGEN_ACCOUNT_ID', 'KEYGEN_TOKEN'] as const) {
    if (settings[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
  }
  const policies = settings.EDITIONS.map(({ policyId }) => policyId);
  if (policies.includes(null) || new Set(policies).size < policies.length) {
    const message = 'must name one Keygen policy for each edition: name=<policy uuid>';
    context.addIssue({ code: 'custom', path: ['EDITIONS'], message });
  }
}

/** Keygen's address, our credentials there, and the policy of each edition. */
export interface KeygenOptions {
  readonly origin: string;
  readonly accountId: string;
  readonly token: SecretText;
  readonly policies: ReadonlyMap<string, Uuid>;
}

/** Null if the local license service is selected. */
export function keygenOptions(settings: LicenseServiceSettings): KeygenOptions | null {
  const { KEYGEN_HOST: origin, KEYGEN_ACCOUNT_ID: accountId, KEYGEN_TOKEN: token } = settings;
  if (settings.LICENSE_SERVICE !== 'keygen') return null;
  if (!origin || !accountId || !token) throw new Error('the settings were not checked by refuseHalfKeygen');
  const policies = settings.EDITIONS.flatMap(({ edition, policyId }) =>
    policyId ? [[edition, policyId] as const] : [],
  );
  return { origin, accountId, token, policies: new Map(policies) };
}

function editionSetting(entry: string): EditionSetting | null {
  const [edition = '', ...rest] = entry.split('=');
  if (!EDITION.test(edition) || rest.length > 1) return null;
  if (rest[0] === undefined) return { edition, policyId: null };
  const policyId = parseUuid(rest[0]);
  return policyId && { edition, policyId };
}
