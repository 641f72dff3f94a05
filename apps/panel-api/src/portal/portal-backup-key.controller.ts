import { Body, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { OrganisationBackupKeys } from '#libs/backups';
import { actorOf, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { BackupKeyDto } from '../organisations/backup-key.dto.js';
import { CallerScope } from '../services/caller-scope.js';
import { PortalController } from './portal-controller.decorator.js';

/**
 * The public key with which the caller's organisation wants its backups encrypted. Whoever may download backups in
 * clear may set it, because the private key gives access to nothing else.
 */
@PortalController('backup-key')
export class PortalBackupKeyController {
  constructor(
    private readonly keys: OrganisationBackupKeys,
    private readonly scope: CallerScope,
  ) {}

  @Get()
  @PanelRoute({ reach: 'home', permission: 'backups:read' })
  @ApiOperation({
    operationId: 'portalGetBackupKey',
    summary: 'Read the public key of your organisation for backups',
    description: 'Null when only the panel can open its backups.',
  })
  @ApiOkResponse({ type: BackupKeyDto, description: 'The public key.' })
  async get(@CurrentCaller() caller: Caller): Promise<BackupKeyDto> {
    return { publicKey: await this.keys.find(this.scope.home(caller)) };
  }

  @Put()
  @PanelRoute({ reach: 'home', permission: 'backups:restore', body: true, errors: [422] })
  @ApiOperation({
    operationId: 'portalSetBackupKey',
    summary: 'Set the public key of your organisation for backups',
    description:
      'From now on its backups are encrypted to this key of age too, besides the key of the panel: who has the private ' +
      'key opens them with `age -d`. Earlier backups stay as they are. Null removes the key. Organisations below yours ' +
      'have keys of their own.',
  })
  @ApiOkResponse({ type: BackupKeyDto, description: 'The public key.' })
  async set(@CurrentCaller() caller: Caller, @Body() { publicKey }: BackupKeyDto): Promise<BackupKeyDto> {
    await this.keys.change(this.scope.home(caller), publicKey, actorOf(caller));
    return { publicKey };
  }
}
