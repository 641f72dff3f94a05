import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { OrganisationMembers, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { MemberDto, MemberListDto } from '../organisations/member.dto.js';
import { CallerScope } from '../services/caller-scope.js';
import { PortalController } from './portal-controller.decorator.js';

@PortalController('members')
export class PortalMembersController {
  constructor(
    private readonly members: OrganisationMembers,
    private readonly scope: CallerScope,
  ) {}

  @Get()
  @PanelRoute({ reach: 'home', permission: 'org.members:read' })
  @ApiOperation({
    operationId: 'portalListMembers',
    summary: 'List the members of your organisation',
    description: 'Sorted by e-mail address. Only admins can add or remove members.',
  })
  @ApiOkResponse({ type: MemberListDto, description: 'The members.' })
  async list(@CurrentCaller() caller: Caller): Promise<MemberListDto> {
    return { data: (await this.members.members(this.scope.home(caller))).map((member) => MemberDto.of(member)) };
  }
}
