import { Injectable } from '@nestjs/common';
import { Conflict, NotFound } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { AuditAction, AuditActor } from '../domain/audit-entry.js';
import type { Membership } from '../domain/membership.js';
import { organisationName, type Organisation } from '../domain/organisation.js';
import type { Permission, Role } from '../domain/permissions.js';
import { normalisedEmail, type User } from '../domain/user.js';
import { AuditLog } from './audit-log.js';
import { DirectoryRecords, Sources } from './sources.js';

/** The staff CLI, which has no user. */
const STAFF: AuditActor = { userId: null, apiKeyId: null };

/** Users, organisations and memberships, as managed by staff. */
@Injectable()
export class Directory {
  constructor(
    private readonly records: DirectoryRecords,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly sources: Sources,
  ) {}

  /**
   * Creates a user who is matched by address at the first sign-in.
   * @throws Conflict if the address is taken
   */
  async createUser(email: string, role: Role, actor: AuditActor = STAFF): Promise<User> {
    const user: User = {
      id: this.sources.randomness.uuid(),
      email: normalisedEmail(email),
      role,
      identity: null,
      disabledAt: null,
      createdAt: this.sources.clock.now(),
    };
    return this.transactions.run(async () => {
      if ((await this.records.users.findByEmail(user.email)).length > 0) throw emailTaken();
      await this.records.users.insert(user);
      await this.record('user.created', actor, user.id, null, { role });
      return user;
    });
  }

  /** Sessions and keys of a disabled user are refused from the next request on. */
  async disableUser(userId: Uuid): Promise<User> {
    return this.transactions.run(async () => {
      const user = await this.records.users.getForUpdate(userId);
      if (!user) throw new NotFound();
      const disabled: User = { ...user, disabledAt: user.disabledAt ?? this.sources.clock.now() };
      await this.records.users.update(disabled);
      await this.record('user.disabled', STAFF, userId, null, {});
      return disabled;
    });
  }

  /** @throws NotFound if nobody has the address; Conflict if several users do */
  async userByEmail(email: string): Promise<User> {
    const user = await this.findByEmail(email);
    if (!user) throw new NotFound();
    return user;
  }

  /**
   * Null if nobody has the address.
   * @throws Conflict if several users do
   */
  async findByEmail(email: string): Promise<User | null> {
    const [user, ...others] = await this.records.users.findByEmail(normalisedEmail(email));
    if (others.length > 0) throw new Conflict('email-ambiguous', 'Several users have that address.');
    return user ?? null;
  }

  /** @throws NotFound if the parent does not exist */
  async createOrganisation(name: string, parentId: Uuid | null, actor: AuditActor = STAFF): Promise<Organisation> {
    const organisation: Organisation = {
      id: this.sources.randomness.uuid(),
      name: organisationName(name),
      parentId,
      createdAt: this.sources.clock.now(),
    };
    return this.transactions.run(async () => {
      if (parentId && !(await this.records.organisations.get(parentId))) throw new NotFound();
      await this.records.organisations.insert(organisation);
      await this.record('organisation.created', actor, organisation.id, organisation.id, {});
      return organisation;
    });
  }

  /** Adds a member, or changes the role and permissions of one. @throws NotFound for a missing organisation */
  async addMember(
    userId: Uuid,
    organisationId: Uuid,
    role: Role,
    permissions: readonly Permission[] | null,
    actor: AuditActor = STAFF,
  ): Promise<Membership> {
    const membership = { userId, organisationId, role, permissions, createdAt: this.sources.clock.now() };
    return this.transactions.run(async () => {
      if (!(await this.records.organisations.get(organisationId))) throw new NotFound();
      await this.records.memberships.put(membership);
      await this.record('membership.added', actor, userId, organisationId, { role });
      return membership;
    });
  }

  /** @throws NotFound if the user is not a member */
  async removeMember(userId: Uuid, organisationId: Uuid, actor: AuditActor = STAFF): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.records.memberships.remove(userId, organisationId))) throw new NotFound();
      await this.record('membership.removed', actor, userId, organisationId, {});
    });
  }

  users(): Promise<readonly User[]> {
    return this.records.users.list();
  }

  organisations(): Promise<readonly Organisation[]> {
    return this.records.organisations.list();
  }

  /** @throws NotFound if there is no such organisation */
  async organisation(id: Uuid): Promise<Organisation> {
    const organisation = await this.records.organisations.get(id);
    if (!organisation) throw new NotFound();
    return organisation;
  }

  /** The organisation and all below it: what a tenant's query may see. Empty if it does not exist. */
  subtree(organisationId: Uuid): Promise<readonly Uuid[]> {
    return this.records.organisations.subtree(organisationId);
  }

  /** All organisations above, the topmost first, and itself last. Empty if it does not exist. */
  async lineage(organisationId: Uuid): Promise<readonly Uuid[]> {
    return (await this.records.organisations.lineage(organisationId))?.fromTop ?? [];
  }

  /** Same as `lineage`, and locks all of them until the transaction ends. */
  async holdLineage(organisationId: Uuid): Promise<readonly Uuid[]> {
    await this.records.organisations.lockLineage(organisationId);
    return this.lineage(organisationId);
  }

  /** @throws NotFound for a missing organisation */
  async members(organisationId: Uuid): Promise<readonly Membership[]> {
    if (!(await this.records.organisations.get(organisationId))) throw new NotFound();
    return this.records.memberships.ofOrganisation(organisationId);
  }

  private record(
    action: AuditAction,
    actor: AuditActor,
    target: Uuid,
    organisationId: Uuid | null,
    detail: Record<string, string>,
  ): Promise<void> {
    return this.audit.record({ action, actor, organisationId, target, detail });
  }
}

function emailTaken(): Conflict {
  return new Conflict('email-taken', 'A user with that address exists already.');
}
