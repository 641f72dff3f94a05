import { Body, Param } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { GitHostChoices } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { PortalController } from '../portal/portal-controller.decorator.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import { ChangeGitSettings, GetGitSettings } from './git-settings-routes.js';
import { ChangeGitSettingsDto, GitSettingsDto } from './git-settings.dto.js';

@PortalController('services')
export class PortalGitSettingsController {
  constructor(
    private readonly choices: GitHostChoices,
    private readonly scope: CallerScope,
  ) {}

  @GetGitSettings(PORTAL)
  async show(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<GitSettingsDto> {
    return GitSettingsDto.of(await this.choices.show(await this.scope.ofHome(caller), id));
  }

  @ChangeGitSettings(PORTAL)
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: ChangeGitSettingsDto,
  ): Promise<GitSettingsDto> {
    const scope = await this.scope.ofHome(caller);
    return GitSettingsDto.of(await this.choices.change(scope, id, ChangeGitSettingsDto.change(body)));
  }
}
