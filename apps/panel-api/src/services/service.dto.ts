import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import { SERVICE_STATUSES, type PortMapping, type ServiceStatus, type ServiceView } from '#libs/services';
import { PaginationDto } from '../http/list-page.js';
import { ResourceLimitsDto } from './create-service.dto.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
export const STATUS = { enum: SERVICE_STATUSES, enumName: 'ServiceStatus' };

class PortMappingDto {
  @ApiProperty({ example: '127.0.0.1' })
  hostIp: string;

  @ApiProperty({ type: 'integer', example: 8080 })
  hostPort: number;

  @ApiProperty({ type: 'integer', example: 80 })
  containerPort: number;

  @ApiProperty({ enum: ['tcp', 'udp'], enumName: 'TransportProtocol', example: 'tcp' })
  protocol: PortMapping['protocol'];
}

const STATUS_REASON = {
  code: {
    type: 'string',
    description: 'Stable. For a failed deployment, the code in its `errorMessage`.',
    example: 'timeout',
  },
  message: { type: 'string', example: 'web ended with exit code 3.' },
  deploymentId: { type: 'string', format: 'uuid', nullable: true, example: ID.example },
  at: { type: 'string', format: 'date-time', example: TIME.example },
} as const;

const PREVIEW = {
  parentServiceId: { type: 'string', format: 'uuid', example: ID.example },
  pullRequest: { type: 'integer', example: 12 },
  expiresAt: { type: 'string', format: 'date-time', example: TIME.example },
} as const;

/** One service, without its compose source and without live figures. */
export class ServiceDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty({ example: 'shop' })
  name: string;

  @ApiProperty({ type: String, nullable: true, example: 'The web shop' })
  description: string | null;

  @ApiProperty({ ...STATUS, example: 'running' })
  status: ServiceStatus;

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: STATUS_REASON,
    required: Object.keys(STATUS_REASON),
    selfRequired: true,
    description:
      'Why the service is in `error`, was stopped by the panel itself, or is `starting` until its data are restored ' +
      '(`restoring`). Else what is wrong with the backups of a database: `backup_lost`, `backup_not_restorable` or ' +
      '`backup_proof_old`. Otherwise null.',
  })
  statusReason: ServiceView['statusReason'];

  @ApiProperty({ enum: ['compose', 'git', 'template'], enumName: 'DeploymentType', example: 'compose' })
  deploymentType: ServiceView['deploymentType'];

  @ApiProperty({ type: [String], description: 'In start order.', example: ['4f1c0f8b2a7d'] })
  containerIds: readonly string[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The engine's id of the service's first network.",
    example: null,
  })
  networkId: string | null;

  @ApiProperty({ type: [PortMappingDto] })
  portMappings: readonly PortMappingDto[];

  @ApiProperty({ type: String, nullable: true, example: null })
  templateName: string | null;

  @ApiProperty({ ...ID, nullable: true, description: 'The organisation that the service is assigned to.' })
  customerId: Uuid | null;

  @ApiProperty({ type: ResourceLimitsDto })
  resourceLimits: ResourceLimitsDto;

  @ApiProperty(TIME)
  createdAt: Date;

  @ApiProperty(TIME)
  updatedAt: Date;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "URL of the service's primary domain, if active.",
    example: null,
  })
  url: string | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null while it is not running.' })
  startedAt: Date | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null while it is not running.', example: 86_400 })
  uptimeSeconds: number | null;

  @ApiProperty({
    type: 'object',
    properties: PREVIEW,
    required: Object.keys(PREVIEW),
    selfRequired: false,
    description: 'Only on a preview of a pull request: of which service, and until when.',
  })
  preview?: ServiceView['preview'];

  static of(view: ServiceView): ServiceDto {
    return { ...view };
  }
}

export class ServicePageDto {
  @ApiProperty({ type: [ServiceDto] })
  data: ServiceDto[];

  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;
}

export class AcceptedServiceDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({ ...ID, description: 'Its first deployment. Follow it to see the outcome.' })
  deploymentId: Uuid;

  @ApiProperty({ ...STATUS, example: 'pending' })
  status: ServiceStatus;
}

export class AcceptedActionDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({ ...ID, nullable: true, description: 'Null if there was nothing to do.' })
  deploymentId: Uuid | null;

  @ApiProperty({ ...STATUS, example: 'starting' })
  status: ServiceStatus;

  @ApiProperty({ example: 'The start is scheduled.' })
  message: string;
}

export class RemovingServiceDto {
  @ApiProperty({ ...STATUS, example: 'removing' })
  status: ServiceStatus;

  @ApiProperty({ example: 'The removal is scheduled; volumes are deleted with the service.' })
  message: string;
}

class PlanWarningDto {
  @ApiProperty({ description: 'JSON pointer into the compose file.', example: '/services/web/image' })
  path: string;

  @ApiProperty({ example: 'image_latest' })
  code: string;

  @ApiProperty({ example: 'The image has no tag. latest is used.' })
  message: string;
}

export class ValidatedComposeDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What would be created. Values are redacted.',
  })
  plan: Record<string, unknown>;

  @ApiProperty({ type: [PlanWarningDto], description: 'Settings that are accepted but not applied as written.' })
  warnings: readonly PlanWarningDto[];
}
