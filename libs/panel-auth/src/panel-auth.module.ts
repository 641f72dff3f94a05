import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { KeyRing } from '#platform/key-ring';
import { ApiKeys } from './application/api-keys.js';
import { AuditLog } from './application/audit-log.js';
import { Authentication } from './application/authentication.js';
import { CredentialWatch } from './application/credential-watch.js';
import { Directory } from './application/directory.js';
import { KeyUses } from './application/key-uses.js';
import { LegacyLogin } from './application/legacy-login.js';
import { OrganisationMembers } from './application/organisation-members.js';
import { OrganisationSecrets } from './application/organisation-secrets.js';
import { ApiKeyRepository } from './application/ports/api-key-repository.js';
import { AuditRepository } from './application/ports/audit-repository.js';
import { CredentialReader } from './application/ports/credential-reader.js';
import { IdentityProvider } from './application/ports/identity-provider.js';
import { LegacyCredentialRepository, PasswordHasher } from './application/ports/legacy-credentials.js';
import { OrganisationListing } from './application/ports/organisation-listing.js';
import { MembershipRepository, OrganisationRepository } from './application/ports/organisation-repository.js';
import { SealedRows } from './application/ports/resealing.js';
import { SecretRepository } from './application/ports/secret-repository.js';
import { SessionRepository, SignInLedger } from './application/ports/session-repository.js';
import { UserRepository } from './application/ports/user-repository.js';
import { Vault } from './application/ports/vault.js';
import { Resealing } from './application/resealing.js';
import { SessionTokens } from './application/session-tokens.js';
import { Sessions } from './application/sessions.js';
import { PanelAuthSettings } from './application/settings.js';
import { SignInCookies } from './application/sign-in-cookies.js';
import { SignInJournal } from './application/sign-in-journal.js';
import { SignIn } from './application/sign-in.js';
import { DirectoryRecords, Sources } from './application/sources.js';
import { UserProvisioning } from './application/user-provisioning.js';
import { Argon2PasswordHasher } from './infrastructure/argon2-password-hasher.js';
import { CredentialWatchTimer } from './infrastructure/credential-watch-timer.js';
import { KeyRingVault } from './infrastructure/key-ring-vault.js';
import { KeyUseWriter } from './infrastructure/key-use-writer.js';
import { NoVault } from './infrastructure/no-vault.js';
import { NoProvider } from './infrastructure/oidc/no-provider.js';
import type { OidcSettings } from './infrastructure/oidc/oidc-settings.js';
import { OpenidClientProvider } from './infrastructure/oidc/openid-client-provider.js';
import { SqlCredentialReader } from './infrastructure/sql-credential-reader.js';
import { SqlLegacyCredentials } from './infrastructure/sql-legacy-credentials.js';
import { SqlOrganisationListing } from './infrastructure/sql-organisation-listing.js';
import { SqlSealedRows } from './infrastructure/sql-sealed-rows.js';
import { SqlSecretRepository } from './infrastructure/sql-secret-repository.js';
import { TypeOrmApiKeyRepository } from './infrastructure/typeorm-api-key-repository.js';
import { TypeOrmAuditRepository } from './infrastructure/typeorm-audit-repository.js';
import {
  TypeOrmMembershipRepository,
  TypeOrmOrganisationRepository,
} from './infrastructure/typeorm-organisation-repository.js';
import { SqlSignInLedger, TypeOrmSessionRepository } from './infrastructure/typeorm-session-repository.js';
import { TypeOrmUserRepository } from './infrastructure/typeorm-user-repository.js';

export interface PanelAuthOptions {
  readonly settings: PanelAuthSettings;
  /** Null without an identity provider. */
  readonly oidc: OidcSettings | null;
  /** Null in a process that reads and writes no sealed value. */
  readonly keyRing: KeyRing | null;
}

const adapters: Provider[] = [
  { provide: UserRepository, useClass: TypeOrmUserRepository },
  { provide: OrganisationRepository, useClass: TypeOrmOrganisationRepository },
  { provide: MembershipRepository, useClass: TypeOrmMembershipRepository },
  { provide: OrganisationListing, useClass: SqlOrganisationListing },
  { provide: ApiKeyRepository, useClass: TypeOrmApiKeyRepository },
  { provide: SessionRepository, useClass: TypeOrmSessionRepository },
  { provide: SignInLedger, useClass: SqlSignInLedger },
  { provide: CredentialReader, useClass: SqlCredentialReader },
  { provide: SecretRepository, useClass: SqlSecretRepository },
  { provide: SealedRows, useClass: SqlSealedRows },
  { provide: AuditRepository, useClass: TypeOrmAuditRepository },
  { provide: LegacyCredentialRepository, useClass: SqlLegacyCredentials },
  { provide: PasswordHasher, useClass: Argon2PasswordHasher },
  KeyUseWriter,
  CredentialWatchTimer,
];

const parts: Provider[] = [Sources, DirectoryRecords, KeyUses, SessionTokens, SignInCookies, UserProvisioning];

/** The services exported to other contexts and the apps. */
const services = [
  ApiKeys,
  AuditLog,
  Authentication,
  CredentialWatch,
  Directory,
  LegacyLogin,
  OrganisationMembers,
  OrganisationSecrets,
  Resealing,
  Sessions,
  SignIn,
  SignInJournal,
];

@Module({})
export class PanelAuthModule {
  static forRoot({ settings, oidc, keyRing }: PanelAuthOptions): DynamicModule {
    return {
      module: PanelAuthModule,
      global: true,
      providers: [
        { provide: PanelAuthSettings, useValue: settings },
        { provide: Vault, useValue: keyRing ? new KeyRingVault(keyRing) : new NoVault() },
        {
          provide: IdentityProvider,
          inject: [Clock],
          useFactory: (clock: Clock) => (oidc ? new OpenidClientProvider(oidc, clock) : new NoProvider()),
        },
        ...adapters,
        ...parts,
        ...services,
      ],
      exports: [...services, IdentityProvider, PanelAuthSettings],
    };
  }
}
