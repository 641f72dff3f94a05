import { Body, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { AnalysisRequests, answerWith } from '../analysis/analysis-requests.js';
import { AnalyzeRepository, CancelAnalysis, GetAnalysis } from '../analysis/analysis-routes.js';
import type { AcceptedAnalysisDto, AnalysisDto } from '../analysis/analysis.dto.js';
import { AnalyzeRepositoryDto } from '../analysis/analyze.dto.js';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import { PortalController } from './portal-controller.decorator.js';

/** Analyses of the caller's organisation. */
@PortalController('analyze')
export class PortalAnalysisController {
  constructor(
    private readonly requests: AnalysisRequests,
    private readonly scope: CallerScope,
  ) {}

  @AnalyzeRepository(PORTAL, 'github')
  github(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(this.scope.home(caller), 'github', body));
  }

  @AnalyzeRepository(PORTAL, 'gitlab')
  gitlab(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(this.scope.home(caller), 'gitlab', body));
  }

  @AnalyzeRepository(PORTAL, 'bitbucket')
  bitbucket(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(this.scope.home(caller), 'bitbucket', body));
  }

  @AnalyzeRepository(PORTAL, 'gitea')
  gitea(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(this.scope.home(caller), 'gitea', body));
  }

  @GetAnalysis(PORTAL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AnalysisDto> {
    return this.requests.get(await this.scope.ofHome(caller), id);
  }

  @CancelAnalysis(PORTAL)
  async cancel(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AnalysisDto> {
    return this.requests.cancel(await this.scope.ofHome(caller), id);
  }
}
