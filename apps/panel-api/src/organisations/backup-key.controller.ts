import { applyDecorators, Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationBackupKeys } from '#libs/backups';
import { actorOf, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { BackupKeyDto } from './backup-key.dto.js';

const Answer = () =>
  applyDecorators(
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiOkResponse({ type: BackupKeyDto, description: 'The public key.' }),
  );

@ApiTags('Organisations')
@Controller('api/v1/organisations')
export class BackupKeyController {
  constructor(
    private readonly keys: OrganisationBackupKeys,
    private readonly scope: CallerScope,
  ) {}

  @Get(':id/backup-key')
  @PanelRoute({ reach: 'panel', permission: 'backups:read' })
  @ApiOperation({
    operationId: 'getBackupKey',
    summary: 'Read the public key of an organisation for backups',
    description: 'Null when only the panel can open its backups.',
  })
  @Answer()
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<BackupKeyDto> {
    await this.assertInScope(caller, id);
    return { publicKey: await this.keys.find(id) };
  }

  @Put(':id/backup-key')
  @PanelRoute({ reach: 'panel', permission: 'org.members:write', body: true })
  @ApiOperation({
    operationId: 'setBackupKey',
    summary: 'Set the public key of an organisation for backups',
    description:
      'From now on its backups are encrypted to this key of age too, besides the key of the panel: who has the private ' +
      'key opens them with `age -d`. Earlier backups stay as they are. Null removes the key.',
  })
  @Answer()
  async set(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() { publicKey }: BackupKeyDto,
  ): Promise<BackupKeyDto> {
    await this.assertInScope(caller, id);
    await this.keys.change(id, publicKey, actorOf(caller));
    return { publicKey };
  }

  /** A bound key knows its own organisation and those below. */
  private async assertInScope(caller: Caller, id: Uuid): Promise<void> {
    if (!(await this.scope.of(caller)).includes(id)) throw new NotFound();
  }
}
