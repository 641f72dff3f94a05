import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  admitKey,
  assertRoomForKey,
  isActive,
  mayManage,
  type AdmittedKey,
  type ApiKey,
  type KeyMaker,
  type MakingKey,
  type RequestedKey,
} from '../domain/api-key.js';
import type { AuditActor } from '../domain/audit-entry.js';
import { actorOf, type Caller } from '../domain/caller.js';
import { homeOrganisation, permissionsHeld } from '../domain/membership.js';
import { InsufficientRole, OrganisationMissing, UserDisabled } from '../domain/panel-auth-errors.js';
import { PanelApiKey } from '../domain/panel-api-key.js';
import { permissionsOf, type PermissionSet } from '../domain/permissions.js';
import type { User } from '../domain/user.js';
import { AuditLog } from './audit-log.js';
import type { KeyOwner } from './ports/api-key-repository.js';
import { PanelAuthSettings } from './settings.js';
import { DirectoryRecords, Sources } from './sources.js';

export interface CreatedKey {
  readonly key: ApiKey;
  /** Shown only in the response to the creation. */
  readonly clear: SecretText;
}

@Injectable()
export class ApiKeys {
  constructor(
    private readonly records: DirectoryRecords,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly sources: Sources,
    private readonly settings: PanelAuthSettings,
  ) {}

  /** @throws what admitKey and assertRoomForKey throw; nothing is written then */
  async create(caller: Caller, requested: RequestedKey): Promise<CreatedKey> {
    return this.transactions.run(async () => {
      const user = await this.lockUser(caller.user.id);
      const organisationId = caller.binding ?? (user.role === 'customer' ? caller.home : null);
      const maker: KeyMaker = {
        userRole: user.role,
        held: await this.heldBy(user, organisationId),
        organisationId,
        key: makingKey(caller),
        highestRpm: user.role === 'customer' ? this.settings.customerKeyRpm : null,
      };
      return this.add(user, admitKey(maker, requested, this.sources.clock.now()), actorOf(caller));
    });
  }

  /**
   * Creates a key on behalf of staff: bound to an organisation, by default the user's own if it is a customer. A
   * customer without an organisation cannot have one.
   * @throws NotFound if the user or the organisation does not exist; InsufficientRole as for the user itself;
   * UserDisabled; Conflict for a customer without an organisation
   */
  async createByStaff(userId: Uuid, requested: RequestedKey, organisationId: Uuid | null): Promise<CreatedKey> {
    return this.transactions.run(async () => {
      const user = await this.lockUser(userId);
      if (user.disabledAt) throw new UserDisabled();
      const bound = organisationId ?? (user.role === 'customer' ? await this.homeOf(user) : null);
      const terms = { ...requested, role: requested.role ?? user.role };
      if (user.role === 'customer' && !bound) throw new OrganisationMissing();
      const held = await this.heldBy(user, bound);
      const maker: KeyMaker = { userRole: user.role, held, organisationId: bound, key: null, highestRpm: null };
      const admitted = admitKey(maker, terms, this.sources.clock.now());
      return this.add(user, admitted, { userId: null, apiKeyId: null });
    });
  }

  /**
   * The caller's own keys, active ones first, newest first within each group; with a bound key only those bound to the
   * same organisation.
   */
  list(caller: Caller): Promise<readonly ApiKey[]> {
    return this.listOf(ownerOf(caller));
  }

  /**
   * @throws NotFound for a key that is not in the caller's list; InsufficientRole for one with more permissions than
   * its own
   */
  async revoke(caller: Caller, id: Uuid): Promise<void> {
    await this.assertNotStronger(caller, id);
    await this.revokeOwned(id, ownerOf(caller), actorOf(caller));
  }

  listByStaff(userId: Uuid): Promise<readonly ApiKey[]> {
    return this.listOf({ creatorId: userId, boundTo: null });
  }

  /** @throws NotFound if the user has no such key */
  async revokeByStaff(userId: Uuid, id: Uuid): Promise<void> {
    await this.revokeOwned(id, { creatorId: userId, boundTo: null }, { userId: null, apiKeyId: null });
  }

  /** Revoked and expired keys stay listed, so the active ones come first. */
  private async listOf(owner: KeyOwner): Promise<readonly ApiKey[]> {
    const now = this.sources.clock.now();
    const keys = await this.records.keys.list(owner);
    return [...keys.filter((key) => isActive(key, now)), ...keys.filter((key) => !isActive(key, now))];
  }

  private async revokeOwned(id: Uuid, owner: KeyOwner, actor: AuditActor): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.records.keys.revoke(id, owner, this.sources.clock.now()))) throw new NotFound();
      await this.audit.record({
        action: 'api_key.revoked',
        actor,
        organisationId: owner.boundTo,
        target: id,
        detail: {},
      });
    });
  }

  /**
   * Sessions manage all keys of their user. A key's permissions never grow, so this check is valid until the key is
   * revoked.
   */
  private async assertNotStronger(caller: Caller, id: Uuid): Promise<void> {
    const own = makingKey(caller);
    if (!own || (caller.credential.kind === 'api-key' && caller.credential.key.id === id)) return;
    const other = (await this.records.keys.list(ownerOf(caller))).find((key) => key.id === id);
    if (other && !mayManage(own, other)) throw new InsufficientRole();
  }

  private async add(user: User, admitted: AdmittedKey, actor: AuditActor): Promise<CreatedKey> {
    const { clock, randomness } = this.sources;
    const { terms, organisationId } = admitted;
    const now = clock.now();
    // Locked in this order everywhere: user, organisation. Two requests for the last free slot wait for each other.
    if (organisationId) await this.records.organisations.lock(organisationId);
    const counts = await this.records.keys.countActive(user.id, organisationId, now);
    assertRoomForKey(this.settings.keyCountPolicy, user.role, counts);
    const clear = PanelApiKey.generate(randomness);
    const key: ApiKey = {
      ...terms,
      id: randomness.uuid(),
      creatorId: user.id,
      organisationId,
      prefix: clear.prefix,
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
    };
    await this.records.keys.insert(key, clear.sha256());
    const detail = { name: key.name, role: key.role, prefix: key.prefix };
    await this.audit.record({ action: 'api_key.created', actor, organisationId, target: key.id, detail });
    return { key, clear: clear.secret };
  }

  private async homeOf(user: User): Promise<Uuid | null> {
    return homeOrganisation(await this.records.memberships.ofUser(user.id));
  }

  private async heldBy(user: User, organisationId: Uuid | null): Promise<PermissionSet> {
    if (!organisationId) return permissionsOf(user.role);
    const lineage = await this.records.organisations.lineage(organisationId);
    if (!lineage) throw new NotFound();
    return permissionsHeld(user.role, await this.records.memberships.ofUser(user.id), lineage);
  }

  private async lockUser(id: Uuid): Promise<User> {
    const user = await this.records.users.getForUpdate(id);
    if (!user) throw new NotFound();
    return user;
  }
}

function makingKey({ credential, role, permissions }: Caller): MakingKey | null {
  if (credential.kind === 'session') return null;
  const { expiresAt, rateLimitRpm } = credential.key;
  return { role, permissions, expiresAt, rateLimitRpm };
}

function ownerOf(caller: Caller): KeyOwner {
  return { creatorId: caller.user.id, boundTo: caller.binding };
}
