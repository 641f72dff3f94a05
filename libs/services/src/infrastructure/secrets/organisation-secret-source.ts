import { Injectable } from '@nestjs/common';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationSecrets } from '#libs/panel-auth';
import { SecretSource } from '../../application/ports/secret-source.js';

@Injectable()
export class OrganisationSecretSource extends SecretSource {
  constructor(private readonly secrets: OrganisationSecrets) {
    super();
  }

  existing(organisationId: Uuid, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.secrets.existing(organisationId, names);
  }

  resolve(organisationId: Uuid, names: readonly string[]): Promise<ReadonlyMap<string, SecretText>> {
    return this.secrets.resolve(organisationId, names);
  }
}
