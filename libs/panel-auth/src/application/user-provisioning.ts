import { Injectable } from '@nestjs/common';
import { Conflict } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import { roleAfterSignIn, type User } from '../domain/user.js';
import { AuditLog } from './audit-log.js';
import type { VerifiedSignIn } from './ports/identity-provider.js';
import { UserRepository } from './ports/user-repository.js';
import { PanelAuthSettings } from './settings.js';
import { Sources } from './sources.js';

/** Finds or creates the user that an identity provider asserts. */
@Injectable()
export class UserProvisioning {
  constructor(
    private readonly users: UserRepository,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly sources: Sources,
    private readonly settings: PanelAuthSettings,
  ) {}

  /**
   * A person is identified by issuer and subject, never by e-mail. The one exception is a user created by staff who has
   * not signed in yet: that user is matched by an address that the provider has verified.
   * @param admit continues with the user, in the transaction of the changes to it; may be called twice
   */
  async provision<T>(verified: VerifiedSignIn, admit: (user: User) => Promise<T>): Promise<T> {
    const known = await this.users.findByIdentity(verified.identity);
    if (known && !isChanged(known, this.asVerified(known, verified))) return admit(known);
    const work = async () => admit(await this.findOrCreate(verified));
    try {
      return await this.transactions.run(work);
    } catch (error) {
      // Two tabs with the same first sign-in: the other tab has created the user meanwhile.
      if (error instanceof Conflict) return this.transactions.run(work);
      throw error;
    }
  }

  private async findOrCreate(verified: VerifiedSignIn): Promise<User> {
    const known = (await this.users.findByIdentity(verified.identity)) ?? (await this.entered(verified));
    return known ? this.refresh(known, verified) : this.create(verified);
  }

  private async entered({ email, emailVerified }: VerifiedSignIn): Promise<User | null> {
    if (!emailVerified) return null;
    const entered = (await this.users.findByEmail(email)).find((user) => user.identity === null);
    // Locked and checked again: of two subjects with one address, only the first is matched to the user.
    const locked = entered && (await this.users.getForUpdate(entered.id));
    return locked?.identity === null ? locked : null;
  }

  private async refresh(known: User, verified: VerifiedSignIn): Promise<User> {
    const user = this.asVerified(known, verified);
    if (isChanged(known, user)) await this.users.update(user);
    if (user.role !== known.role) await this.record('user.role_changed', user);
    return user;
  }

  private asVerified(known: User, verified: VerifiedSignIn): User {
    const { email, identity } = verified;
    return { ...known, email, role: roleAfterSignIn(this.settings.rolePolicy, verified, known.role), identity };
  }

  private async create(verified: VerifiedSignIn): Promise<User> {
    const user: User = {
      id: this.sources.randomness.uuid(),
      email: verified.email,
      role: roleAfterSignIn(this.settings.rolePolicy, verified, null),
      identity: verified.identity,
      disabledAt: null,
      createdAt: this.sources.clock.now(),
    };
    await this.users.insert(user);
    await this.record('user.created', user);
    return user;
  }

  private record(action: 'user.created' | 'user.role_changed', user: User): Promise<void> {
    return this.audit.record({
      action,
      actor: { userId: user.id, apiKeyId: null },
      organisationId: null,
      target: user.id,
      detail: { role: user.role },
    });
  }
}

function isChanged(known: User, user: User): boolean {
  return user.email !== known.email || user.role !== known.role || !known.identity;
}
