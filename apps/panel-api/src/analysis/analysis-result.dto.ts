import { ApiProperty, ApiSchema } from '@nestjs/swagger';
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

const HEALTHCHECK = { path: { type: 'string' as const, example: '/healthz' } };

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

@ApiSchema({ name: 'AnalysisResult' })
export class AnalysisResultDto implements AnalysisResult {
  @ApiProperty({ example: 'A web shop with a REST API.' })
  summary: string;

  @ApiProperty({ ...TEXT, example: 'node' })
  language: string | null;

  @ApiProperty({ ...TEXT, example: 'express' })
  framework: string | null;

  @ApiProperty({ ...TEXT, example: 'npm' })
  package_manager: string | null;

  @ApiProperty({ enum: BUILD_METHODS, enumName: 'SuggestedBuildMethod', example: 'auto' })
  build_method: AnalysisResult['build_method'];

  @ApiProperty({ minimum: 0, maximum: 1, description: 'How much of it files tell.', example: 0.9 })
  confidence: number;

  @ApiProperty({ type: 'integer', example: 8080 })
  port: number;

  @ApiProperty({ ...TEXT, description: 'One that a file names, never one of the model alone.', example: 'npm start' })
  start_command: string | null;

  @ApiProperty({ ...TEXT, description: "The repository's own.", example: null })
  dockerfile: string | null;

  @ApiProperty({ ...TEXT, description: 'Made by the panel, and accepted by its planner.', example: null })
  compose_yaml: string | null;

  @ApiProperty({ type: [AnalysedVariableDto] })
  env_vars: readonly AnalysedVariableDto[];

  @ApiProperty({ type: [AnalysedDatabaseDto] })
  databases: readonly AnalysedDatabaseDto[];

  @ApiProperty({ type: [AnalysedVolumeDto] })
  volumes: readonly AnalysedVolumeDto[];

  // Written out: a reference cannot be null in OpenAPI 3.0.
  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: HEALTHCHECK,
    required: Object.keys(HEALTHCHECK),
    selfRequired: true,
    description: 'Of an HTTP health check, where it has one.',
  })
  healthcheck: AnalysisResult['healthcheck'];

  @ApiProperty({ type: SuggestedLimitsDto })
  resource_limits: SuggestedLimitsDto;

  @ApiProperty({ type: [String], example: ['The model said another port than the files; 3000 of the files is used.'] })
  warnings: readonly string[];

  @ApiProperty({ type: DeployBodiesDto })
  deploy: DeployBodiesDto;
}
