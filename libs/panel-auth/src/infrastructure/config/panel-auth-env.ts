import { isIP } from 'node:net';
import { z } from 'zod';
import { SecretText } from '#kernel/crypto/secret-text';
import { secretsKeys } from '#platform/config/secrets-keys';
import { flag, positiveInteger } from '#platform/config/setting-types';
import type { PanelAuthSettings } from '../../application/settings.js';
import { isEmailAddress } from '../../domain/user.js';
import { isTrustworthy, type OidcSettings } from '../oidc/oidc-settings.js';

const words = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .default([]);

const providerUrl = z
  .string()
  .refine((text) => URL.canParse(text) && isTrustworthy(new URL(text)), 'must be an https URL (http on this machine)');

/** How many API keys may be active at once, and the highest rate of a customer's key. */
export const keyCountSettings = {
  API_KEYS_PER_CUSTOMER: positiveInteger(10),
  API_KEYS_PER_ORGANISATION: positiveInteger(25),
  API_KEYS_PER_ADMIN: positiveInteger(100),
  API_KEY_RPM_PER_CUSTOMER: positiveInteger(600),
};

/** The identity provider's settings, which the doctor uses as well. */
export const providerSettings = { OIDC_ISSUER: providerUrl.optional() };

/** Settings of sign-in, sessions and keys. */
export const panelAuthSettings = {
  SECRETS_KEYS: secretsKeys,
  ...providerSettings,
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z
    .string()
    .transform((text) => new SecretText(text))
    .optional(),
  OIDC_REDIRECT_URI: providerUrl.optional(),
  OIDC_SCOPES: words
    .prefault('openid email profile')
    .refine((scopes) => scopes.includes('openid'), 'must contain openid'),
  OIDC_COOKIE_DOMAIN: z.string().optional(),
  OIDC_ROLE_CLAIM: z.string().optional(),
  OIDC_ADMIN_VALUE: z.string().default('admin'),
  OIDC_ADMIN_EMAILS: words.refine((texts) => texts.every(isEmailAddress), 'must be e-mail addresses'),
  LEGACY_LOGIN: flag(false),
  ...keyCountSettings,
};

type Read = z.output<z.ZodObject<typeof panelAuthSettings>> & { readonly PANEL_URL: string };
const OF_A_PROVIDER = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_REDIRECT_URI'] as const;

/**
 * Checks that involve several settings: an incomplete provider, and a cookie domain that does not contain the panel
 * itself.
 */
export function refuseContradictions(settings: Read, context: z.RefinementCtx): void {
  const given = OF_A_PROVIDER.filter((name) => settings[name] !== undefined);
  if (given.length > 0) {
    for (const name of OF_A_PROVIDER.filter((wanted) => !given.includes(wanted))) {
      context.addIssue({ code: 'custom', path: [name], message: `is required with ${given.join(' and ')}` });
    }
  }
  const domain = settings.OIDC_COOKIE_DOMAIN;
  if (domain !== undefined && !covers(domain, new URL(settings.PANEL_URL).hostname)) {
    const message = `must be a domain that the host of PANEL_URL lies in`;
    context.addIssue({ code: 'custom', path: ['OIDC_COOKIE_DOMAIN'], message });
  }
}

export function oidcOf(settings: Read): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_REDIRECT_URI: redirectUri } = settings;
  if (!issuer || !clientId || !redirectUri) return null;
  return {
    issuer,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET ?? null,
    redirectUri: new URL(redirectUri),
    postLogoutRedirectUri: new URL(settings.PANEL_URL),
    scopes: settings.OIDC_SCOPES,
  };
}

export function panelAuthOf(settings: Read): PanelAuthSettings {
  const claim = settings.OIDC_ROLE_CLAIM;
  return {
    cookieDomain: settings.OIDC_COOKIE_DOMAIN?.replace(/^\./, '') ?? null,
    rolePolicy: {
      adminEmails: new Set(settings.OIDC_ADMIN_EMAILS.map((email) => email.toLowerCase())),
      claim: claim === undefined ? null : { name: claim, adminValue: settings.OIDC_ADMIN_VALUE },
    },
    keyCountPolicy: keyCountPolicyOf(settings),
    customerKeyRpm: settings.API_KEY_RPM_PER_CUSTOMER,
    legacyLogin: settings.LEGACY_LOGIN,
  };
}

type KeyCounts = z.output<z.ZodObject<typeof keyCountSettings>>;

/** The settings of a process in which nobody signs in: the staff CLI and the worker. */
export function unattendedPanelAuth(settings: KeyCounts): PanelAuthSettings {
  const rolePolicy = { adminEmails: new Set<string>(), claim: null };
  return {
    cookieDomain: null,
    rolePolicy,
    keyCountPolicy: keyCountPolicyOf(settings),
    customerKeyRpm: settings.API_KEY_RPM_PER_CUSTOMER,
    legacyLogin: false,
  };
}

function keyCountPolicyOf(settings: KeyCounts): PanelAuthSettings['keyCountPolicy'] {
  return {
    perCustomer: settings.API_KEYS_PER_CUSTOMER,
    perOrganisation: settings.API_KEYS_PER_ORGANISATION,
    perAdmin: settings.API_KEYS_PER_ADMIN,
  };
}

function covers(domain: string, host: string): boolean {
  const suffix = domain.replace(/^\./, '');
  return !isIP(host) && suffix.includes('.') && (host === suffix || host.endsWith(`.${suffix}`));
}
