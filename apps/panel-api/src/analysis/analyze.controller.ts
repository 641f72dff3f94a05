import { Body, Controller, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import { AnalysisRequests, answerWith } from './analysis-requests.js';
import { AnalyzeRepository, CancelAnalysis, GetAnalysis } from './analysis-routes.js';
import type { AcceptedAnalysisDto, AnalysisDto } from './analysis.dto.js';
import { AnalyzeRepositoryDto } from './analyze.dto.js';

@ApiTags('Analysis')
@Controller('api/v1/analyze')
export class AnalyzeController {
  constructor(
    private readonly requests: AnalysisRequests,
    private readonly scope: CallerScope,
  ) {}

  @AnalyzeRepository(PANEL, 'github')
  github(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(caller.binding, 'github', body));
  }

  @AnalyzeRepository(PANEL, 'gitlab')
  gitlab(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(caller.binding, 'gitlab', body));
  }

  @AnalyzeRepository(PANEL, 'bitbucket')
  bitbucket(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(caller.binding, 'bitbucket', body));
  }

  @AnalyzeRepository(PANEL, 'gitea')
  gitea(
    @CurrentCaller() caller: Caller,
    @Body() body: AnalyzeRepositoryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedAnalysisDto> {
    return answerWith(reply, this.requests.ask(caller.binding, 'gitea', body));
  }

  @GetAnalysis(PANEL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AnalysisDto> {
    return this.requests.get(await this.scope.of(caller), id);
  }

  @CancelAnalysis(PANEL)
  async cancel(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<AnalysisDto> {
    return this.requests.cancel(await this.scope.of(caller), id);
  }
}
