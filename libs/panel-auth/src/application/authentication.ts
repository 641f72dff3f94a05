import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { effectivePermissions, effectiveRole, isActive, permissionsAtHome } from '../domain/api-key.js';
import type { Caller } from '../domain/caller.js';
import { homeOrganisation, permissionsHeld } from '../domain/membership.js';
import { PanelApiKey } from '../domain/panel-api-key.js';
import { InvalidCredential } from '../domain/panel-auth-errors.js';
import { permissionsOf, type PermissionSet } from '../domain/permissions.js';
import { hasExpired } from '../domain/session.js';
import { KeyUses } from './key-uses.js';
import { CredentialReader, type PlacedUser } from './ports/credential-reader.js';
import { SessionTokens } from './session-tokens.js';
import { PanelAuthSettings } from './settings.js';

/**
 * Resolves a request's credential to its caller. Nothing is cached between requests, so a revocation is effective at
 * once.
 */
@Injectable()
export class Authentication {
  constructor(
    private readonly reader: CredentialReader,
    private readonly tokens: SessionTokens,
    private readonly keyUses: KeyUses,
    private readonly clock: Clock,
    private readonly settings: PanelAuthSettings,
  ) {}

  /** @throws InvalidCredential unless it is the text of an active key of an enabled user */
  async byKey(text: string): Promise<Caller> {
    const parsed = PanelApiKey.parse(text);
    if (!parsed) throw new InvalidCredential();
    const presented = await this.reader.key(parsed.sha256());
    const now = this.clock.now();
    if (!presented || presented.user.disabledAt || !isActive(presented.key, now)) throw new InvalidCredential();
    const { key, user } = presented;
    this.keyUses.note(key.id, now);
    const home = homeOrganisation(presented.memberships);
    return {
      user,
      role: effectiveRole(key, user.role),
      permissions: effectivePermissions(key, user.role, heldIn(presented, key.organisationId)),
      binding: key.organisationId,
      home,
      permissionsAtHome: permissionsAtHome(key, user.role, heldIn(presented, home)),
      credential: { kind: 'api-key', key },
    };
  }

  /**
   * @param cookie value of `oidc_session`
   * @param binding value of the host-only companion cookie, null if the request has none
   * @throws InvalidCredential unless it is an unexpired, intact session of an enabled user
   */
  async bySession(cookie: SecretText, binding: SecretText | null): Promise<Caller> {
    const presented = await this.reader.session(cookie.sha256());
    if (!presented || presented.user.disabledAt || hasExpired(presented.session, this.clock.now())) {
      throw new InvalidCredential();
    }
    const { session, user } = presented;
    if (!this.isBoundTo(presented.bindingSha256, binding)) throw new InvalidCredential();
    // A row that was written or changed by hand cannot be opened, so its session is invalid.
    if (presented.sealedTokens && !this.tokens.open(presented.sealedTokens, session.id)) throw new InvalidCredential();
    const home = homeOrganisation(presented.memberships);
    const permissions = user.role === 'admin' ? permissionsOf('admin') : heldIn(presented, home);
    return {
      user,
      role: user.role,
      permissions,
      binding: null,
      home,
      permissionsAtHome: permissions,
      credential: { kind: 'session', sessionId: session.id },
    };
  }

  /** Of the given keys and sessions, those that are no longer valid; for connections that outlive their request. */
  ended(credentialIds: readonly Uuid[]): Promise<readonly Uuid[]> {
    return this.reader.ended(credentialIds, this.clock.now());
  }

  private isBoundTo(expected: Buffer | null, binding: SecretText | null): boolean {
    if (expected) return binding !== null && binding.sha256().equals(expected);
    // A session from before the cookie domain was configured has no companion: its user signs in again.
    return this.settings.cookieDomain === null;
  }
}

const NOTHING: PermissionSet = new Set();

function heldIn(placed: PlacedUser, organisationId: Uuid | null): PermissionSet {
  const lineage = organisationId && placed.lineages.get(organisationId);
  return lineage ? permissionsHeld(placed.user.role, placed.memberships, lineage) : NOTHING;
}
