import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import { ANALYSIS_STATUSES, GIT_HOSTS } from '#libs/analysis';
import { toldOf, type AnalysisRequests } from '../../analysis/analysis-requests.js';
import type { AnalyzeRepositoryDto } from '../../analysis/analyze.dto.js';
import { byteLength, MAX_OUTPUT_BYTES } from '../output/tool-output.js';
import { UNTRUSTED_NOTICE } from '../output/untrusted-text.js';
import { time } from './schemas.js';
import { READS, tool, type OfferedTool } from './tool.js';

const NOTICE = `${UNTRUSTED_NOTICE} It was made from the files of a repository.`;
const MAX_FILE_LENGTH = MAX_OUTPUT_BYTES / 4;

const analysis = z.looseObject({
  analysis_id: z.string(),
  status: z.enum(ANALYSIS_STATUSES),
  channel: z.string(),
});

export function analysisTools(requests: AnalysisRequests): readonly OfferedTool[] {
  return [
    tool({
      name: 'analyze_repo',
      title: 'Analyse a repository',
      description:
        'Determines how a public repository is built and run. Nothing is deployed. Follow it with ' + 'get_analysis.',
      anyOf: ['analysis:create'],
      input: z.object({
        gitHost: z.enum(GIT_HOSTS),
        repoUrl: z.string().min(1).max(1_024).describe('An https address.'),
        branch: z.string().min(1).max(255).optional(),
        commitSha: z.string().min(1).max(64).optional(),
      }),
      output: analysis,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      notice: NOTICE,
      target: ({ gitHost }) => gitHost,
      run: async ({ organisationId }, { gitHost, repoUrl, branch, commitSha }) => {
        const body: AnalyzeRepositoryDto = { repo_url: repoUrl, branch, commit_sha: commitSha };
        return shortened(toldOf(await requests.ask(organisationId, gitHost, body)).body);
      },
    }),
    tool({
      name: 'get_analysis',
      title: 'Get an analysis',
      description: 'The status of an analysis and its result: how to deploy the repository, by compose file or by Git.',
      anyOf: ['analysis:read'],
      input: z.object({ analysisId: z.uuid() }),
      output: analysis.extend({
        repo_url: z.string(),
        created_at: time,
        completed_at: time.nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        result: z.looseObject({ summary: z.string(), warnings: z.array(z.string()) }).nullable(),
      }),
      annotations: { ...READS, openWorldHint: true },
      notice: NOTICE,
      target: ({ analysisId }) => analysisId,
      run: async ({ scope }, { analysisId }) => shortened(await requests.get(scope, analysisId as Uuid)),
    }),
  ];
}

/** Omits the Dockerfile of the repository: it may be long, and can be read there. */
function shortened<Shown extends object>(shown: Shown): object {
  if (byteLength(shown) <= MAX_OUTPUT_BYTES - 1024 || !('result' in shown)) return shown;
  const result = shown.result as { readonly dockerfile: string | null };
  return { ...shown, result: { ...result, dockerfile: result.dockerfile?.slice(0, MAX_FILE_LENGTH) ?? null } };
}
