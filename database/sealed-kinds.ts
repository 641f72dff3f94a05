import type { SealedKind } from '#platform/sealed/sealed-kind';

const of = (table: string, column: string, rowId: string, purpose: string, what: string): SealedKind => ({
  table,
  column,
  rowId,
  purpose,
  what,
});

/** The key that signs license states for panels. Older ones no longer sign anything. */
export const SEALED_SIGNING_KEYS: SealedKind = {
  ...of('license_service.signing_keys', 'sealed_private_key', 'id', 'license-state-signing', 'license signing key'),
  where: `id = (select id from license_service.signing_keys
                 where retired_at is null order by created_at desc, id desc limit 1)`,
};

/** What `cli secrets rotate` seals again through SealedKind alone; the contexts do the rest through their own ports. */
export const RESEALED_BY_KIND: readonly SealedKind[] = [
  of('backups.panel_keys', 'sealed_identity', 'id', 'backup-identity', "the panel's key for backups"),
  of('services.git_hooks', 'secret', 'service_id', 'services.git_hooks', 'secrets of push hooks'),
  of(
    ...(['services.git_host_settings', 'sealed_token', 'service_id', 'services.git_host_settings'] as const),
    'tokens for commit statuses',
  ),
  {
    ...of('automation.change_plans', 'sealed_request', 'id', 'change-plans', 'plans of changes by MCP'),
    where: 'expires_at > now()',
  },
];

/**
 * Everything that the key ring has sealed in the database, in all contexts. Every process checks all of it, so that two
 * processes with different rings never both consider theirs right.
 */
export const SEALED_KINDS: readonly SealedKind[] = [
  of(
    ...(['services.specs', 'sealed', "service_id || '/' || version", 'services.specs'] as const),
    'versions of services with their variables and secrets',
  ),
  of(
    ...(['services.template_services', 'secrets', 'service_id', 'services.template-secrets'] as const),
    'passwords of databases',
  ),
  of(
    ...(['services.template_services', 'next_password', 'service_id', 'services.template-secrets'] as const),
    'next passwords of databases',
  ),
  ...RESEALED_BY_KIND,
  {
    ...of(
      'panel_auth.organisation_secrets',
      'sealed_value',
      'id',
      'organisation_secrets.value',
      'organisation secrets',
    ),
    sealedAs: 'value',
  },
  {
    ...of('panel_auth.sessions', 'sealed_tokens', 'id', 'sessions.tokens', 'tokens of sign-in sessions'),
    sealedAs: 'tokens',
    where: 'expires_at > now()',
  },
  SEALED_SIGNING_KEYS,
  of('licensing.kept_keys', 'sealed_key', 'license_id', 'imported-license-keys', 'imported license keys'),
];
