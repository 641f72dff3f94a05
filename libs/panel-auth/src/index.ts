export { PanelAuthModule, type PanelAuthOptions } from './panel-auth.module.js';
export { ApiKeys, type CreatedKey } from './application/api-keys.js';
export { AuditLog } from './application/audit-log.js';
export { Authentication } from './application/authentication.js';
export { CredentialWatch } from './application/credential-watch.js';
export { Directory } from './application/directory.js';
export { LegacyLogin } from './application/legacy-login.js';
export { OrganisationMembers, type NewMember } from './application/organisation-members.js';
export { OrganisationSecrets } from './application/organisation-secrets.js';
export { IdentityProvider, type ProviderDescription } from './application/ports/identity-provider.js';
export type { AuditFilter, AuditPage, ShownAuditEntry } from './application/ports/audit-repository.js';
export { Resealing, type ResealedColumn } from './application/resealing.js';
export { Sessions, type OpenedSession } from './application/sessions.js';
export { PanelAuthSettings } from './application/settings.js';
export { SignInJournal } from './application/sign-in-journal.js';
export { SignIn, type BegunSignIn } from './application/sign-in.js';
export { assertFuture, type ApiKey, type RequestedKey } from './domain/api-key.js';
export { AUDIT_ACTIONS, type AuditAction, type AuditActor, type AuditEntry } from './domain/audit-entry.js';
export { actorOf, type Caller } from './domain/caller.js';
export type { Membership } from './domain/membership.js';
export type { ListedOrganisation, Member } from './domain/listed-organisation.js';
export type { Organisation } from './domain/organisation.js';
export type { SecretRecord } from './domain/organisation-secret.js';
export {
  IdentityProviderUnavailable,
  InsufficientRole,
  InvalidCredential,
  OidcUnconfigured,
  PermissionMissing,
  SignInRefused,
  UnknownPermission,
} from './domain/panel-auth-errors.js';
export {
  isPermission,
  isScope,
  PERMISSIONS,
  permissionsOf,
  ROLES,
  type Permission,
  type PermissionSet,
  type Role,
  type Scope,
} from './domain/permissions.js';
export type { Session } from './domain/session.js';
export { isEmailAddress, type User } from './domain/user.js';
export { diagnoseProvider } from './infrastructure/oidc/diagnose-provider.js';
export type { OidcSettings } from './infrastructure/oidc/oidc-settings.js';
export {
  keyCountSettings,
  oidcOf,
  panelAuthOf,
  panelAuthSettings,
  providerSettings,
  refuseContradictions,
  unattendedPanelAuth,
} from './infrastructure/config/panel-auth-env.js';
