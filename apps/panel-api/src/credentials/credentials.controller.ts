import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import { CredentialRequests } from './credential-requests.js';
import { GetCredentials, RevealCredentials, RotateCredentials } from './credential-routes.js';
import type { CredentialsDto, RotatedCredentialsDto } from './credentials.dto.js';

@ApiTags('Credentials')
@Controller('api/v1/services')
export class CredentialsController {
  constructor(
    private readonly requests: CredentialRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetCredentials(PANEL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<CredentialsDto> {
    return this.requests.get(await this.scope.of(caller), id);
  }

  @RevealCredentials(PANEL)
  async reveal(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<CredentialsDto> {
    return this.requests.reveal(caller, await this.scope.of(caller), id);
  }

  @RotateCredentials(PANEL)
  async rotate(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<RotatedCredentialsDto> {
    return this.requests.rotate(caller, await this.scope.of(caller), id);
  }
}
