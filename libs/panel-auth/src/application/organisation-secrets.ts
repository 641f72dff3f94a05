import { Injectable } from '@nestjs/common';
import { Conflict, NotFound } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '../domain/caller.js';
import { assertStorableValue, secretName, type SecretRecord } from '../domain/organisation-secret.js';
import { AuditLog } from './audit-log.js';
import { SecretRepository, type WrittenSecret } from './ports/secret-repository.js';
import { Vault } from './ports/vault.js';
import { Sources } from './sources.js';

const COLUMN = 'organisation_secrets.value';

/**
 * Values that an organisation's deployments use and nobody can read back. The organisation is that of the user behind
 * the credential, whatever a key is bound to (the contract's exception for /secrets).
 */
@Injectable()
export class OrganisationSecrets {
  constructor(
    private readonly secrets: SecretRepository,
    private readonly vault: Vault,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly sources: Sources,
  ) {}

  list(caller: Caller): Promise<readonly SecretRecord[]> {
    return this.secrets.list(organisationOf(caller));
  }

  /**
   * Writes or overwrites.
   * @throws Invalid for an invalid name or value
   */
  async write(caller: Caller, nameText: string, value: SecretText): Promise<WrittenSecret> {
    const organisationId = organisationOf(caller);
    const name = secretName(nameText);
    assertStorableValue(value);
    return this.transactions.run(async () => {
      const written =
        (await this.store(organisationId, name, value)) ?? (await this.store(organisationId, name, value));
      if (!written) throw new Conflict('conflict', 'Somebody else is writing this secret. Try again.');
      await this.record(caller, 'secret.written', organisationId, name);
      return written;
    });
  }

  /** @throws NotFound if the organisation has no such secret */
  async delete(caller: Caller, name: string): Promise<void> {
    const organisationId = organisationOf(caller);
    await this.transactions.run(async () => {
      if (!(await this.secrets.delete(organisationId, name))) throw new NotFound();
      await this.record(caller, 'secret.deleted', organisationId, name);
    });
  }

  /** The values for a deployment; names that are missing or cannot be opened are left out. */
  async resolve(organisationId: Uuid, names: readonly string[]): Promise<ReadonlyMap<string, SecretText>> {
    const values = new Map<string, SecretText>();
    for (const { id, name, sealed } of await this.secrets.find(organisationId, names)) {
      const clear = this.vault.open(sealed, COLUMN, id);
      if (clear !== null) values.set(name, new SecretText(clear));
    }
    return values;
  }

  /** The given names for which the organisation has a secret, whether or not it can be opened. */
  async existing(organisationId: Uuid, names: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.secrets.find(organisationId, names)).map(({ name }) => name));
  }

  private async store(organisationId: Uuid, name: string, value: SecretText): Promise<WrittenSecret | null> {
    const id = (await this.secrets.lockId(organisationId, name)) ?? this.sources.randomness.uuid();
    const sealed = this.vault.seal(value.reveal(), COLUMN, id);
    return this.secrets.write({ id, organisationId, name, sealed }, this.sources.clock.now());
  }

  private record(
    caller: Caller,
    action: 'secret.written' | 'secret.deleted',
    organisationId: Uuid,
    name: string,
  ): Promise<void> {
    return this.audit.record({ action, actor: actorOf(caller), organisationId, target: name, detail: {} });
  }
}

/** @throws NotFound for a user without an organisation */
function organisationOf(caller: Caller): Uuid {
  if (!caller.home) throw new NotFound();
  return caller.home;
}
