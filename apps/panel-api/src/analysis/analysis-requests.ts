import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import { Analyses, type Analysis, type GitHost } from '#libs/analysis';
import type { OrganisationScope } from '#libs/services';
import { AcceptedAnalysisDto, AnalysisDto } from './analysis.dto.js';
import type { AnalyzeRepositoryDto } from './analyze.dto.js';

/** What the routes of analyses do in every area, once it is known whose analyses they are about. */
@Injectable()
export class AnalysisRequests {
  constructor(private readonly analyses: Analyses) {}

  /** @throws as `Analyses.ask` */
  ask(organisationId: Uuid | null, gitHost: GitHost, body: AnalyzeRepositoryDto): Promise<Analysis> {
    const { repo_url: repoUrl, branch = null, commit_sha: commitSha = null } = body;
    return this.analyses.ask({ organisationId, gitHost, repoUrl, branch, commitSha });
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<AnalysisDto> {
    return AnalysisDto.of(await this.analyses.get(scope, id));
  }

  async cancel(scope: OrganisationScope, id: Uuid): Promise<AnalysisDto> {
    return AnalysisDto.of(await this.analyses.cancel(scope, id));
  }
}

/** The whole of one that is complete, and of any other where to follow it. */
export function toldOf(analysis: Analysis): { readonly status: 200 | 202; readonly body: AcceptedAnalysisDto } {
  if (analysis.state.status === 'completed') return { status: 200, body: AnalysisDto.of(analysis) };
  return { status: 202, body: AcceptedAnalysisDto.of(analysis) };
}

/** The same as the answer of a route. */
export async function answerWith(reply: FastifyReply, asked: Promise<Analysis>): Promise<AcceptedAnalysisDto> {
  const { status, body } = toldOf(await asked);
  reply.code(status);
  return body;
}
