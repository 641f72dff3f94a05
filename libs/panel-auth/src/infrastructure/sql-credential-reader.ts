import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { HotReader } from '#platform/database/batching/hot-reader';
import {
  CredentialReader,
  type PlacedUser,
  type PresentedKey,
  type PresentedSession,
} from '../application/ports/credential-reader.js';
import type { ApiKey } from '../domain/api-key.js';
import type { Membership } from '../domain/membership.js';
import { Lineage } from '../domain/organisation.js';
import type { Session } from '../domain/session.js';
import { toUser } from './typeorm-user-repository.js';
import type { UserRow } from './user.row.js';

const LINEAGE = (organisation: string) => `(select json_agg(s.ancestor_id order by s.depth)
  from panel_auth.organisation_subtrees s where s.descendant_id = ${organisation})`;

const USER = `json_build_object('id', u.id, 'email', u.email, 'role', u.role, 'issuer', u.issuer,
    'subject', u.subject, 'disabledAt', u.disabled_at, 'createdAt', u.created_at) as "user",
  (select coalesce(json_agg(json_build_object('userId', m.user_id, 'organisationId', m.organisation_id,
      'role', m.role, 'permissions', m.permissions, 'createdAt', m.created_at,
      'lineage', ${LINEAGE('m.organisation_id')})), '[]')
    from panel_auth.memberships m where m.user_id = u.id) as places`;

const KEY = {
  name: 'panel-key-by-hash',
  text: `select k.id, k.creator_id as "creatorId", k.organisation_id as "organisationId", k.name, k.description,
      k.prefix, k.role, k.scopes, k.permissions_deny as "permissionsDeny", k.rate_limit_rpm as "rateLimitRpm",
      k.is_service_account as "isServiceAccount", k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
      k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      ${LINEAGE('k.organisation_id')} as bound, ${USER}
    from panel_auth.api_keys k join panel_auth.users u on u.id = k.creator_id
    where k.key_hash = $1`,
};

const SESSION = {
  name: 'panel-session-by-hash',
  text: `select s.id, s.user_id as "userId", s.created_at as "createdAt", s.expires_at as "expiresAt",
      s.user_agent as "userAgent", s.binding_hash as "bindingSha256", s.sealed_tokens as "sealedTokens", ${USER}
    from panel_auth.sessions s join panel_auth.users u on u.id = s.user_id
    where s.cookie_hash = $1`,
};

const ENDED = {
  name: 'panel-credentials-ended',
  text: `select given.id from unnest($1::uuid[]) as given (id)
    where not exists (select from panel_auth.sessions s join panel_auth.users u on u.id = s.user_id
            where s.id = given.id and s.expires_at > $2 and u.disabled_at is null)
      and not exists (select from panel_auth.api_keys k join panel_auth.users u on u.id = k.creator_id
            where k.id = given.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)
              and u.disabled_at is null)`,
};

/** JSON has no dates. */
type Dated<T, K extends keyof T> = Omit<T, K> & Record<K, string>;
interface PlacedRow {
  readonly user: Dated<UserRow, 'createdAt' | 'disabledAt'> & { disabledAt: string | null };
  readonly places: readonly (Dated<Membership, 'createdAt'> & { readonly lineage: readonly Uuid[] })[];
}
type KeyRow = PlacedRow & ApiKey & { readonly bound: readonly Uuid[] | null };
type SessionRow = PlacedRow & Session & Pick<PresentedSession, 'bindingSha256' | 'sealedTokens'>;

@Injectable()
export class SqlCredentialReader extends CredentialReader {
  constructor(private readonly reader: HotReader) {
    super();
  }

  async key(sha256: Buffer): Promise<PresentedKey | null> {
    const [row] = await this.reader.rows<KeyRow>(KEY, [sha256]);
    if (!row) return null;
    const { user, places, bound, ...key } = row;
    return { key, ...placed({ user, places }, bound) };
  }

  async session(sha256: Buffer): Promise<PresentedSession | null> {
    const [row] = await this.reader.rows<SessionRow>(SESSION, [sha256]);
    if (!row) return null;
    const { user, places, bindingSha256, sealedTokens, ...session } = row;
    return { session, bindingSha256, sealedTokens, ...placed({ user, places }, null) };
  }

  async ended(credentialIds: readonly Uuid[], now: Date): Promise<readonly Uuid[]> {
    if (credentialIds.length === 0) return [];
    const rows = await this.reader.rows<{ id: Uuid }>(ENDED, [credentialIds, now]);
    return rows.map((row) => row.id);
  }
}

function placed({ user, places }: PlacedRow, bound: readonly Uuid[] | null): PlacedUser {
  const lineages = [...places.map((place) => place.lineage), ...(bound ? [bound] : [])].map((ids) => Lineage.of(ids));
  return {
    user: toUser({
      ...user,
      createdAt: new Date(user.createdAt),
      disabledAt: user.disabledAt === null ? null : new Date(user.disabledAt),
    }),
    memberships: places.map(({ lineage: _, ...place }) => ({ ...place, createdAt: new Date(place.createdAt) })),
    lineages: new Map(lineages.map((lineage) => [lineage.organisationId, lineage])),
  };
}
