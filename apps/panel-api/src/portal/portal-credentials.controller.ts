import { Param } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import { CredentialRequests } from '../credentials/credential-requests.js';
import { GetCredentials, RevealCredentials, RotateCredentials } from '../credentials/credential-routes.js';
import type { CredentialsDto, RotatedCredentialsDto } from '../credentials/credentials.dto.js';
import { PortalController } from './portal-controller.decorator.js';

/** The credentials of databases of the caller's organisation. */
@PortalController('services')
export class PortalCredentialsController {
  constructor(
    private readonly requests: CredentialRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetCredentials(PORTAL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<CredentialsDto> {
    return this.requests.get(await this.scope.ofHome(caller), id);
  }

  @RevealCredentials(PORTAL)
  async reveal(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<CredentialsDto> {
    return this.requests.reveal(caller, await this.scope.ofHome(caller), id);
  }

  @RotateCredentials(PORTAL)
  async rotate(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RotatedCredentialsDto> {
    return this.requests.rotate(caller, await this.scope.ofHome(caller), id);
  }
}
