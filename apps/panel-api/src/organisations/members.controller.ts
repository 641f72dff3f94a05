import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, OrganisationMembers, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { AddMemberDto, MemberDto, MemberListDto } from './member.dto.js';
import { OrganisationRequests } from './organisation-requests.js';

const ID = { format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };

@ApiTags('Organisations')
@Controller('api/v1/organisations')
export class MembersController {
  constructor(
    private readonly members: OrganisationMembers,
    private readonly requests: OrganisationRequests,
  ) {}

  @Get(':id/members')
  @PanelRoute({ reach: 'panel', permission: 'org.members:read' })
  @ApiOperation({
    operationId: 'listMembers',
    summary: 'List the members of an organisation',
    description: 'Sorted by e-mail address, without members of organisations above it.',
  })
  @ApiParam({ name: 'id', ...ID })
  @ApiOkResponse({ type: MemberListDto, description: 'The members.' })
  async list(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<MemberListDto> {
    await this.requests.assertInScope(caller, id);
    return { data: (await this.members.members(id)).map((member) => MemberDto.of(member)) };
  }

  @Post(':id/members')
  @HttpCode(201)
  @PanelRoute({ reach: 'panel', permission: 'org.members:write', body: true, errors: [409] })
  @ApiOperation({
    operationId: 'addMember',
    summary: 'Add a member, or change one',
    description:
      'A membership applies to all organisations below too. If the user is already a member, the role and ' +
      'permissions are changed (200).',
  })
  @ApiParam({ name: 'id', ...ID })
  @ApiCreatedResponse({ type: MemberDto, description: 'The member was added.' })
  @ApiOkResponse({ type: MemberDto, description: 'The member was changed.' })
  async add(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: AddMemberDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MemberDto> {
    await this.requests.assertInScope(caller, id);
    const { member, isNew } = await this.members.add(id, AddMemberDto.toMember(body), actorOf(caller));
    if (!isNew) reply.code(200);
    return MemberDto.of(member);
  }

  @Delete(':id/members/:userId')
  @HttpCode(204)
  @PanelRoute({ reach: 'panel', permission: 'org.members:write' })
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: 'Keys that the user created for the organisation stop working there at once. The user itself is kept.',
  })
  @ApiParam({ name: 'id', ...ID })
  @ApiParam({ name: 'userId', ...ID })
  @ApiNoContentResponse({ description: 'The membership was removed.' })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Param('userId', PathId) userId: Uuid,
  ): Promise<void> {
    await this.requests.assertInScope(caller, id);
    await this.members.remove(id, userId, actorOf(caller));
  }
}
