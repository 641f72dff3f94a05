import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { GitHostChoices } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import { ChangeGitSettings, GetGitSettings } from './git-settings-routes.js';
import { ChangeGitSettingsDto, GitSettingsDto } from './git-settings.dto.js';

@ApiTags('Services')
@Controller('api/v1/services')
export class GitSettingsController {
  constructor(
    private readonly choices: GitHostChoices,
    private readonly scope: CallerScope,
  ) {}

  @GetGitSettings(PANEL)
  async show(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<GitSettingsDto> {
    return GitSettingsDto.of(await this.choices.show(await this.scope.of(caller), id));
  }

  @ChangeGitSettings(PANEL)
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: ChangeGitSettingsDto,
  ): Promise<GitSettingsDto> {
    const scope = await this.scope.of(caller);
    return GitSettingsDto.of(await this.choices.change(scope, id, ChangeGitSettingsDto.change(body)));
  }
}
