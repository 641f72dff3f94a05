import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import { type OrganisationScope, TemplateCredentials } from '#libs/services';
import { PanelLimits } from '../http/panel-limits.js';
import { CredentialsDto, RotatedCredentialsDto } from './credentials.dto.js';

/** What the credential routes of both areas do. */
@Injectable()
export class CredentialRequests {
  constructor(
    private readonly credentials: TemplateCredentials,
    private readonly limits: PanelLimits,
  ) {}

  async get(scope: OrganisationScope, id: Uuid): Promise<CredentialsDto> {
    return CredentialsDto.of(await this.credentials.get(scope, id));
  }

  async reveal(caller: Caller, scope: OrganisationScope, id: Uuid): Promise<CredentialsDto> {
    // Checked first: a 404 must not use up the limit.
    await this.credentials.get(scope, id);
    await this.limits.countReveal(caller);
    return CredentialsDto.of(await this.credentials.reveal(scope, id, whoOf(caller)));
  }

  async rotate(caller: Caller, scope: OrganisationScope, id: Uuid): Promise<RotatedCredentialsDto> {
    return RotatedCredentialsDto.ofRotated(await this.credentials.rotate(scope, id, whoOf(caller)));
  }
}

function whoOf(caller: Caller) {
  return { actor: actorOf(caller), isAdmin: caller.role === 'admin' };
}
