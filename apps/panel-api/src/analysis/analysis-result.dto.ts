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

  @ApiProperty({ description: 'Whether its value must not be shown.', example: true })
  secret: boolean;

  @ApiProperty({ ...TEXT, description: 'The default in the repository; never for a secret.', example: null })
  default: string | null;

  @ApiProperty({ ...TEXT, example: 'Signs the session cookies.' })
  description: string | null;

  @ApiProperty({ description: 'Where the repository mentions it, `path:line`.', example: '.env.example:3' })
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
    description:
      "Values for the application's variables, with placeholders such as `{host}` and `{port}` for the " +
      'credentials.',
    example: { DATABASE_URL: 'postgres://{username}:{password}@{host}:{port}/{database}' },
  })
  env_mapping: Readonly<Record<string, string>>;

  @ApiProperty({ description: 'Empty if only the model named it.', example: 'package.json:12' })
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

@ApiSchema({ name: 'DatabaseDeployment' })
class DatabaseDeploymentDto {
  @ApiProperty({ format: 'uuid', example: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1001' })
  template_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'A ready body for `POST /templates/{template_id}/deploy`.',
    example: {
      name: 'shop-postgresql',
      variables: { SERVICE_NAME: 'shop-postgresql', DB_NAME: 'app', DB_USER: 'app' },
    },
  })
  body: Readonly<Record<string, unknown>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Entries for `variables` of the other bodies. Replace `{password}` with the password of the database.',
    example: { DATABASE_URL: 'postgres://app:{password}@shop-postgresql:5432/app' },
  })
  variables: Readonly<Record<string, string>>;
}

@ApiSchema({ name: 'DeployBodies' })
class DeployBodiesDto {
  @ApiProperty({ type: [DatabaseDeploymentDto], description: 'Databases to deploy first, in the same organisation.' })
  databases: readonly DatabaseDeploymentDto[];

  @ApiProperty({ ...BODY, description: 'A ready body for `POST /services/git`.' })
  git: Readonly<Record<string, unknown>> | null;

  @ApiProperty({ ...BODY, description: 'A ready body for `POST /services`.' })
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
  ...[
    AnalysedVariableDto,
    AnalysedDatabaseDto,
    AnalysedVolumeDto,
    SuggestedLimitsDto,
    DatabaseDeploymentDto,
    DeployBodiesDto,
  ],
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
    description: 'Share of the result that comes from files.',
    example: 0.9,
  },
  port: { type: 'integer' as const, example: 8080 },
  start_command: {
    ...TEXT_OR_NULL,
    description: 'A command named by a file, never by the model alone.',
    example: 'npm start',
  },
  dockerfile: { ...TEXT_OR_NULL, description: "The repository's own Dockerfile.", example: null },
  compose_yaml: { ...TEXT_OR_NULL, description: 'Generated by the panel, and accepted by its planner.', example: null },
  env_vars: listOf(AnalysedVariableDto),
  databases: listOf(AnalysedDatabaseDto),
  volumes: listOf(AnalysedVolumeDto),
  healthcheck: {
    type: 'object' as const,
    nullable: true,
    properties: { path: { type: 'string' as const, example: '/healthz' } },
    required: ['path'],
    description: 'Path of an HTTP health check, if there is one.',
  },
  resource_limits: referenceTo(SuggestedLimitsDto),
  warnings: { type: 'array' as const, items: { type: 'string' as const } },
  deploy: referenceTo(DeployBodiesDto),
} satisfies Record<keyof AnalysisResult, object>;
