import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  DEPLOYMENT_STATUSES,
  DEPLOYMENT_STRATEGIES,
  DEPLOYMENT_TRIGGERS,
  imageDigests,
  STEP_NAMES,
  type DeploymentView,
  type DeploymentStatus,
  type DeploymentStrategy,
  type DeploymentTrigger,
} from '#libs/services';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };

class DeploymentStepDto {
  @ApiProperty({ enum: STEP_NAMES, enumName: 'DeploymentStepName', example: 'pull' })
  name: DeploymentView['steps'][number]['name'];

  @ApiProperty({ enum: ['running', 'succeeded', 'failed'], enumName: 'DeploymentStepStatus', example: 'succeeded' })
  status: DeploymentView['steps'][number]['status'];

  @ApiProperty(TIME)
  startedAt: Date;

  @ApiProperty({ ...TIME, nullable: true })
  finishedAt: Date | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  message: string | null;
}

export class DeploymentActorDto {
  @ApiProperty({ ...ID, nullable: true, description: 'Both are null for the panel itself.' })
  userId: Uuid | null;

  @ApiProperty({ ...ID, nullable: true })
  apiKeyId: Uuid | null;
}

export class DeploymentDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({ enum: DEPLOYMENT_STATUSES, enumName: 'DeploymentStatus', example: 'failed' })
  status: DeploymentStatus;

  @ApiProperty({ enum: DEPLOYMENT_TRIGGERS, enumName: 'DeploymentTrigger', example: 'redeploy' })
  trigger: DeploymentTrigger;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'A stable code, a colon, and a text for people.',
    example: 'image_pull_failed: docker.io/acme/web:2: the registry has no such image',
  })
  errorMessage: string | null;

  @ApiProperty(TIME)
  createdAt: Date;

  @ApiProperty({ ...TIME, nullable: true })
  startedAt: Date | null;

  @ApiProperty({ ...TIME, nullable: true })
  finishedAt: Date | null;

  @ApiProperty({
    type: String,
    enum: [...DEPLOYMENT_STRATEGIES, null],
    nullable: true,
    description:
      '`start-first`: the new containers run beside the old ones until their health check passes. ' +
      '`stop-first`: the old ones stop first, because both cannot run at once; they are kept until the ' +
      'health check passes. Null until decided.',
    example: 'start-first',
  })
  strategy: DeploymentStrategy | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', nullable: true },
    description: 'Digests of the images, by compose service. Null for an image that did not come from a registry.',
    example: { web: 'sha256:0d17b565c37bcbd895e9d92315a05c1c3c9a29f762b011a10c54a66cd53c9b31' },
  })
  imageDigests: Readonly<Record<string, string | null>>;

  @ApiProperty({ type: String, nullable: true, example: null })
  commitSha: string | null;

  @ApiProperty({ description: 'Whether the previous containers were restored.', example: false })
  reverted: boolean;

  @ApiProperty({ type: [DeploymentStepDto] })
  steps: readonly DeploymentStepDto[];

  @ApiProperty({ type: DeploymentActorDto })
  actor: DeploymentActorDto;

  static of(deployment: DeploymentView): DeploymentDto {
    const { id, serviceId, status, trigger, errorMessage, createdAt, startedAt, finishedAt } = deployment;
    const { reverted, steps, actor, topology, strategy, commitSha } = deployment;
    return {
      id,
      serviceId,
      status,
      trigger,
      errorMessage,
      createdAt,
      startedAt,
      finishedAt,
      strategy,
      imageDigests: imageDigests(topology),
      commitSha,
      reverted,
      steps,
      actor,
    };
  }
}

export class PageDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  page: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, example: 20 })
  pageSize: number;
}

export class DeploymentPageDto {
  @ApiProperty({ type: [DeploymentDto] })
  data: DeploymentDto[];

  @ApiProperty({ type: PageDto })
  pagination: PageDto;
}

export class RollbackDto {
  @ApiProperty({ ...ID, description: 'An earlier deployment of the service that succeeded.' })
  @IsUUID('all', { message: '$property must be a UUID' })
  deploymentId: string;
}
