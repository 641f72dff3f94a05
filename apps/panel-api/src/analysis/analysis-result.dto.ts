import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { BUILD_METHODS, DATABASE_KINDS, type AnalysisResult } from '#libs/analysis';

const TEXT = { type: String, nullable: true } as const;

@ApiSchema({ name: 'AnalysedVariable' })
class AnalysedVariableDto {
  @ApiProperty({ example: 'SESSION_SECRET' })
  name: string;

  @ApiProperty({ example: true })
  required: boolean;

  @ApiProperty({ description: 'Its value must not be shown.', example: true })
  secret: boolean;

  @ApiProperty({ ...TEXT, description: 'As the repository names it; never for a secret.', example: null })
  default: string | null;

  @ApiProperty({ ...TEXT, example: 'Signs the session cookies.' })
  description: string | null;

  @ApiProperty({ description: 'Where the repository names it, `path:line`.', example: '.env.example:3' })
  evidence: string;
}

@ApiSchema({ name: 'AnalysedDatabase' })
class AnalysedDatabaseDto {
  @ApiProperty({ enum: DATABASE_KINDS, enumName: 'DatabaseKind', example: 'postgresql' })
  kind: AnalysisResult['databases'][number]['kind'];

  @ApiProperty({ ...TEXT, format: 'uuid', description: 'For `POST /templates/{id}/deploy`.', example: null })
  template_id: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What variables of the application must hold, with `{host}`, `{port}` and so on for the credentials.',
    example: { DATABASE_URL: 'postgres://{username}:{password}@{host}:{port}/{database}' },
  })
  env_mapping: Readonly<Record<string, string>>;

  @ApiProperty({ description: 'Empty where only the model named it.', example: 'package.json:12' })
  evidence: string;
}

@ApiSchema({ name: 'AnalysedVolume' })
class AnalysedVolumeDto {
  @ApiProperty({ example: 'data' })
  name: string;

  @ApiProperty({ example: '/app/data' })
  path: string;
}

@ApiSchema({ name: 'SuggestedLimits' })
class SuggestedLimitsDto {
  @ApiProperty({ example: 1 })
  cpuCores: number;

  @ApiProperty({ type: 'integer', example: 512 })
  memoryMb: number;

  @ApiProperty({ type: 'integer', example: 5120 })
  diskMb: number;
}

const BODY = { type: 'object', additionalProperties: true, nullable: true } as const;

@ApiSchema({ name: 'DeployBodies' })
class DeployBodiesDto {
  @ApiProperty({ ...BODY, description: 'The body of `POST /services/git`, as it can be sent.' })
  git: Readonly<Record<string, unknown>> | null;

  @ApiProperty({ ...BODY, description: 'The body of `POST /services`, as it can be sent.' })
  compose: Readonly<Record<string, unknown>> | null;
}

const listOf = (type: Type) => ({ type: 'array' as const, items: { $ref: getSchemaPath(type) } });
const referenceTo = (type: Type) => ({
  type: 'object' as const,
  additionalProperties: true,
  allOf: [{ $ref: getSchemaPath(type) }],
});
const TEXT_OR_NULL = { type: 'string' as const, nullable: true };

/** The schemas that `RESULT` refers to. */
export const RESULT_MODELS: readonly Type[] = [
  ...[AnalysedVariableDto, AnalysedDatabaseDto, AnalysedVolumeDto, SuggestedLimitsDto, DeployBodiesDto],
];

/** The fields of an `AnalysisResult`. */
export const RESULT = {
  summary: { type: 'string' as const, example: 'A web shop with a REST API.' },
  language: { ...TEXT_OR_NULL, example: 'node' },
  framework: { ...TEXT_OR_NULL, example: 'express' },
  package_manager: { ...TEXT_OR_NULL, example: 'npm' },
  build_method: { type: 'string' as const, enum: [...BUILD_METHODS], example: 'auto' },
  confidence: {
    type: 'number' as const,
    minimum: 0,
    maximum: 1,
    description: 'How much of it files tell.',
    example: 0.9,
  },
  port: { type: 'integer' as const, example: 8080 },
  start_command: {
    ...TEXT_OR_NULL,
    description: 'One that a file names, never one of the model alone.',
    example: 'npm start',
  },
  dockerfile: { ...TEXT_OR_NULL, description: "The repository's own.", example: null },
  compose_yaml: { ...TEXT_OR_NULL, description: 'Made by the panel, and accepted by its planner.', example: null },
  env_vars: listOf(AnalysedVariableDto),
  databases: listOf(AnalysedDatabaseDto),
  volumes: listOf(AnalysedVolumeDto),
  healthcheck: {
    type: 'object' as const,
    nullable: true,
    properties: { path: { type: 'string' as const, example: '/healthz' } },
    required: ['path'],
    description: 'Of an HTTP health check, where it has one.',
  },
  resource_limits: referenceTo(SuggestedLimitsDto),
  warnings: { type: 'array' as const, items: { type: 'string' as const } },
  deploy: referenceTo(DeployBodiesDto),
} satisfies Record<keyof AnalysisResult, object>;
