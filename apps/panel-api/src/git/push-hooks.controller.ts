import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unauthenticated } from '#kernel/errors';
import { PushHooks } from '#libs/services';
import { rawBodyOf, refuseDefectiveBody } from '#platform/http/fastify/json-body';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { PanelLimits } from '../http/panel-limits.js';
import { PathName } from '../http/path-values.js';
import { DeliveryAnswerDto } from './hook.dto.js';

/** Receives pushes from Git hosts. Deliveries are authenticated by their signature. */
@ApiTags('Git hooks')
@Controller('api/v1/hooks/git')
export class PushHooksController {
  constructor(
    private readonly hooks: PushHooks,
    private readonly limits: PanelLimits,
  ) {}

  @Post(':hookId')
  @PublicRoute()
  @RouteConfig({ keepsRawBody: true })
  @ApiOperation({
    operationId: 'receivePush',
    summary: 'Receive a push from GitHub, GitLab, Gitea or Bitbucket',
    description:
      'The signature (for GitLab, the token) is verified against the raw body. A commit is deployed once, ' +
      'however often it is delivered; a waiting deployment of an older push is replaced. The response does ' +
      'not wait for the build. Pings and tags get 204. Pull requests get a preview, where the service wants that.',
  })
  @ApiParam({ name: 'hookId', example: 'Zk3vQm2yR1sT8uW0xY4a5B6c' })
  @ApiAcceptedResponse({ type: DeliveryAnswerDto, description: 'The outcome of the push.' })
  @ApiNoContentResponse({ description: 'There is nothing to deploy.' })
  @ApiErrors(400, 401, 404, 413, 415, 422, 429, 500)
  async receive(
    @Param('hookId', PathName) hookId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryAnswerDto | undefined> {
    const message = { headers: request.headers, body: rawBodyOf(request) };
    try {
      const answer = await this.hooks.receive(hookId, message, request.body);
      refuseDefectiveBody(request);
      reply.status(answer ? 202 : 204);
      return answer ?? undefined;
    } catch (error) {
      if (error instanceof Unauthenticated) await this.limits.countFailure(request.ip);
      throw error;
    }
  }
}
