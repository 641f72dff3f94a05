import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import { Analyses, type Analysis, type GitHost } from '#libs/analysis';
import type { OrganisationScope } from '#libs/services';
import { AcceptedAnalysisDto, AnalysisDto } from './analysis.dto.js';
import type { AnalyzeRepositoryDto } from './analyze.dto.js';

/** What the analysis routes of both areas do, once the organisation is known. */
@Injectable()
export class AnalysisRequests {
  constructor(private readonly analyses: Analyses) {}

  /** @throws the errors of `Analyses.ask` */
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

/** A completed analysis in full (200); of any other, only its id and status, to follow it (202). */
export function toldOf(analysis: Analysis): { readonly status: 200 | 202; readonly body: AcceptedAnalysisDto } {
  if (analysis.state.status === 'completed') return { status: 200, body: AnalysisDto.of(analysis) };
  return { status: 202, body: AcceptedAnalysisDto.of(analysis) };
}

/** Answers a request with the analysis and the matching HTTP status. */
export async function answerWith(reply: FastifyReply, asked: Promise<Analysis>): Promise<AcceptedAnalysisDto> {
  const { status, body } = toldOf(await asked);
  reply.code(status);
  return body;
}
