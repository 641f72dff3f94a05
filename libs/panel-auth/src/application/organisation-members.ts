import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { AuditActor } from '../domain/audit-entry.js';
import type { ListedOrganisation, Member, OrganisationFilter } from '../domain/listed-organisation.js';
import type { Permission, Role } from '../domain/permissions.js';
import { Directory } from './directory.js';
import { OrganisationListing } from './ports/organisation-listing.js';

/** The member to add to an organisation, with the permissions there. */
export interface NewMember {
  readonly email: string;
  readonly role: Role;
  /** Narrows the role; null keeps all of it. */
  readonly permissions: readonly Permission[] | null;
}

/** Organisations and their members, for the API. The caller checks permissions. */
@Injectable()
export class OrganisationMembers {
  constructor(
    private readonly listing: OrganisationListing,
    private readonly directory: Directory,
    private readonly transactions: Transactions,
  ) {}

  page(filter: OrganisationFilter, page: number, pageSize: number) {
    return this.listing.page(filter, page, pageSize);
  }

  /** @throws NotFound if there is no such organisation */
  async organisation(id: Uuid): Promise<ListedOrganisation> {
    const organisation = await this.listing.one(id);
    if (!organisation) throw new NotFound();
    return organisation;
  }

  /** @throws NotFound if there is no such organisation */
  async members(organisationId: Uuid): Promise<readonly Member[]> {
    await this.organisation(organisationId);
    return this.listing.members(organisationId);
  }

  /**
   * Adds a member by e-mail address, or changes the permissions of one. An unknown address creates a user, who is
   * matched by it at the first sign-in.
   * @throws NotFound for a missing organisation; Conflict if several users have the address
   */
  async add(
    organisationId: Uuid,
    { email, role, permissions }: NewMember,
    actor: AuditActor,
  ): Promise<{ readonly member: Member; readonly isNew: boolean }> {
    return this.transactions.run(async () => {
      await this.organisation(organisationId);
      const known = await this.directory.findByEmail(email);
      const { id } = known ?? (await this.directory.createUser(email, 'customer', actor));
      const before = await this.listing.members(organisationId);
      await this.directory.addMember(id, organisationId, role, permissions, actor);
      const member = (await this.listing.members(organisationId)).find(({ userId }) => userId === id)!;
      return { member, isNew: before.every(({ userId }) => userId !== id) };
    });
  }

  /** @throws NotFound if the user is not a member */
  remove(organisationId: Uuid, userId: Uuid, actor: AuditActor): Promise<void> {
    return this.directory.removeMember(userId, organisationId, actor);
  }
}
