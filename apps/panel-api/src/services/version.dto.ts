import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ShownSource, VersionView } from '#libs/services';
import { GitSourceDto } from '../git/git-source.dto.js';
import { DeploymentActorDto, PageDto } from './deployment.dto.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };

export class ServiceVersionDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  number: number;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  createdAt: Date;

  @ApiProperty({ type: DeploymentActorDto })
  actor: DeploymentActorDto;

  @ApiProperty({
    ...ID,
    nullable: true,
    description: 'The last successful deployment of this version, otherwise its latest. Use it for `rollback`.',
  })
  deploymentId: Uuid | null;

  @ApiProperty({ description: 'Whether this version is running.', example: true })
  current: boolean;

  static of(version: VersionView): ServiceVersionDto {
    return { ...version };
  }
}

export class ServiceVersionPageDto {
  @ApiProperty({ type: [ServiceVersionDto] })
  data: ServiceVersionDto[];

  @ApiProperty({ type: PageDto })
  pagination: PageDto;
}

export const MASK = '********';

export class ServiceSourceDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'The version to send as `If-Match` with a change.',
    example: 3,
  })
  version: number;

  @ApiProperty({ example: 'services:\n  web:\n    image: nginx:${TAG}\n' })
  composeYaml: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The names of the variables; their values are masked.',
    example: { TAG: MASK },
  })
  variables: Record<string, string>;

  @ApiProperty({
    type: GitSourceDto,
    required: false,
    description: 'Only for a service from a repository: the fields that `PATCH` can change.',
  })
  git?: GitSourceDto;

  static of({ serviceId, version, composeYaml, variableNames, git }: ShownSource): ServiceSourceDto {
    const variables = Object.fromEntries(variableNames.map((name) => [name, MASK]));
    return { serviceId, version, composeYaml, variables, ...(git ? { git: GitSourceDto.of(git) } : {}) };
  }
}
