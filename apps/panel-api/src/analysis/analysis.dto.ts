import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  ANALYSIS_STATUSES,
  type Analysis,
  type AnalysisResult,
  type AnalysisState,
  type AnalysisStatus,
} from '#libs/analysis';
import { RESULT, RESULT_MODELS } from './analysis-result.dto.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const STATUS = { enum: ANALYSIS_STATUSES, enumName: 'AnalysisStatus' };
const CHANNEL = {
  description: 'Channel of the WebSocket `/ws` with status, progress and result.',
  example: 'analysis:6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
};

const channelOf = (id: Uuid): string => `analysis:${id}`;

@ApiSchema({ name: 'AcceptedAnalysis' })
export class AcceptedAnalysisDto {
  @ApiProperty(ID)
  analysis_id: Uuid;

  @ApiProperty({ ...STATUS, example: 'queued' })
  status: AnalysisStatus;

  @ApiProperty(CHANNEL)
  channel: string;

  static of({ state: { id, status } }: Analysis): AcceptedAnalysisDto {
    return { analysis_id: id, status, channel: channelOf(id) };
  }
}

const ERROR: Record<string, { type: 'string'; description: string; example: string }> = {
  code: { type: 'string', description: 'Stable code in snake_case.', example: 'clone_failed' },
  message: {
    type: 'string',
    description: 'For humans; may change at any time.',
    example: 'The repository was not found.',
  },
};

@ApiExtraModels(...RESULT_MODELS)
@ApiSchema({ name: 'Analysis' })
export class AnalysisDto extends AcceptedAnalysisDto {
  @ApiProperty({ example: 'https://github.com/acme/shop' })
  repo_url: string;

  @ApiProperty({ type: String, nullable: true, example: 'main' })
  branch: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null until the repository is cloned, unless given in the request.',
    example: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
  })
  commit_sha: string | null;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty({ ...TIME, nullable: true })
  completed_at: Date | null;

  // Written out: a reference cannot be null in OpenAPI 3.0.
  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: ERROR,
    required: Object.keys(ERROR),
    selfRequired: true,
    description: 'Null unless it failed.',
  })
  error: AnalysisState['error'];

  // Written out: a reference cannot be null in OpenAPI 3.0.
  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: RESULT,
    required: Object.keys(RESULT),
    selfRequired: true,
    description: 'Null until it is completed.',
  })
  result: AnalysisResult | null;

  static override of(analysis: Analysis): AnalysisDto {
    const { repoUrl, branch, commitSha, requestedCommit, createdAt, completedAt, error, result } = analysis.state;
    return {
      ...AcceptedAnalysisDto.of(analysis),
      repo_url: repoUrl,
      branch,
      commit_sha: commitSha ?? requestedCommit,
      created_at: createdAt,
      completed_at: completedAt,
      error,
      result,
    };
  }
}
