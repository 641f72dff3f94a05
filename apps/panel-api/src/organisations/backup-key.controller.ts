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
    summary: 'Read the backup key of an organisation',
    description: 'The public key that its backups are also encrypted to. Null if only the panel can decrypt them.',
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
    summary: 'Set the backup key of an organisation',
    description:
      'New backups are encrypted to this age public key in addition to the key of the panel, so the holder of the ' +
      'private key can decrypt them with `age -d`. Earlier backups are unchanged. Null removes the key.',
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

  /** A bound key may see its own organisation and those below it. */
  private async assertInScope(caller: Caller, id: Uuid): Promise<void> {
    if (!(await this.scope.of(caller)).includes(id)) throw new NotFound();
  }
}
