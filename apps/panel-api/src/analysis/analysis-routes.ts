import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type { GitHost } from '#libs/analysis';
import type { RouteArea } from '../services/route-area.js';
import { InArea } from '../services/service-routes.js';
import { AcceptedAnalysisDto, AnalysisDto } from './analysis.dto.js';

const ID = { name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };

const NAMES: Readonly<Record<GitHost, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  gitea: 'Gitea',
};

export function AnalyzeRepository(area: RouteArea, gitHost: GitHost): MethodDecorator {
  return applyDecorators(
    Post(gitHost),
    HttpCode(202),
    InArea(area, {
      id: `analyze${NAMES[gitHost]}`,
      permission: 'analysis:create',
      errors: [503],
      body: true,
      summary: `Analyse a repository on ${NAMES[gitHost]}`,
      description:
        'Clones one commit, reads its files and asks the AI provider for what they do not say. Files take ' +
        'precedence. No code of the repository is executed and nothing is deployed. If the same repository, ' +
        'commit, prompt and model were analysed before, the stored result is returned at once. A URL of ' +
        "another host than the path's is 422 `git_host_mismatch`; no AI provider is 503 " +
        '`ai_provider_unconfigured`; a used-up budget is 429 `analysis_budget_exhausted`.',
    }),
    ApiAcceptedResponse({ type: AcceptedAnalysisDto, description: 'The analysis is queued or running.' }),
    ApiOkResponse({ type: AnalysisDto, description: 'The analysis already exists.' }),
  );
}

export function GetAnalysis(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Get(':id'),
    InArea(area, {
      id: 'getAnalysis',
      permission: 'analysis:read',
      summary: 'Read an analysis',
      description:
        'Includes the result once the analysis is completed. The bodies in `deploy` can be sent as they are.',
    }),
    ApiParam(ID),
    ApiOkResponse({ type: AnalysisDto, description: 'The analysis in its current state.' }),
  );
}

export function CancelAnalysis(area: RouteArea): MethodDecorator {
  return applyDecorators(
    Post(':id/cancel'),
    HttpCode(202),
    InArea(area, {
      id: 'cancelAnalysis',
      permission: 'analysis:create',
      errors: [409, ...area.errors],
      summary: 'Cancel an analysis',
      description:
        'A waiting analysis is cancelled at once, a running one within seconds. Its status is then `failed`, ' +
        'with the error code `cancelled`.',
    }),
    ApiParam(ID),
    ApiAcceptedResponse({ type: AnalysisDto, description: 'The analysis in its current state.' }),
  );
}
