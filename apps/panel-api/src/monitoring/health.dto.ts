import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ContainerHealth, ContainerLifecycle, GroupHealth, ServiceHealth } from '#libs/services';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const COUNT = { type: 'integer', minimum: 0, example: 0 } as const;
const GROUP: GroupHealth[] = ['healthy', 'unhealthy', 'starting', 'none', 'unknown'];
const CONTAINER: ContainerHealth[] = ['none', 'starting', 'healthy', 'unhealthy'];
const STATES: ContainerLifecycle[] = ['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'];

type Probe = NonNullable<ServiceHealth['containers'][number]['lastProbe']>;

const PROBE = {
  at: { type: 'string', format: 'date-time', example: TIME.example },
  exitCode: { type: 'integer', example: 0 },
  output: {
    type: 'string',
    maxLength: 4096,
    description: 'Written by the container. Treat it as untrusted.',
    example: 'ok',
  },
} as const satisfies Record<keyof Probe, object>;

class ContainerHealthDto {
  @ApiProperty({ example: '4f1c0f8b2a7d' })
  id: string;

  @ApiProperty({ description: 'Name in the compose file.', example: 'web' })
  name: string;

  @ApiProperty({ enum: STATES, enumName: 'ContainerState', example: 'running' })
  state: ContainerLifecycle;

  @ApiProperty({ enum: CONTAINER, enumName: 'ContainerHealth', description: '`none` without a health check.' })
  health: ContainerHealth;

  @ApiProperty({ ...COUNT, description: 'Failed probes in a row.' })
  failingStreak: number;

  @ApiProperty({ ...COUNT, description: 'Restarts by its restart policy.' })
  restartCount: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null while it is running.', example: null })
  exitCode: number | null;

  @ApiProperty({ description: 'Whether its main process was killed because memory ran out.', example: false })
  oomKilled: boolean;

  @ApiProperty({ ...TIME, nullable: true })
  startedAt: Date | null;

  // Written out: a reference cannot be null in OpenAPI 3.0.
  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: PROBE,
    required: Object.keys(PROBE),
    selfRequired: true,
    description: 'Null before the first.',
  })
  lastProbe: Probe | null;
}

class RecoveryDto {
  @ApiProperty({ description: 'Whether the panel restarts services that stay unhealthy.', example: true })
  enabled: boolean;

  @ApiProperty({ ...COUNT, description: 'Restarts by the panel since the service was last healthy for ten minutes.' })
  attempts: number;

  @ApiProperty({ ...TIME, nullable: true })
  lastAt: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'No further attempt before then.' })
  nextAt: Date | null;
}

export class ServiceHealthDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({
    enum: GROUP,
    enumName: 'ServiceHealthStatus',
    example: 'healthy',
    description:
      'Health of the worst container. `none`: without a health check, or not meant to run. `unknown`: not ' +
      'checked in the last 30 seconds, or the engine is not responding.',
  })
  status: GroupHealth;

  @ApiProperty({ ...TIME, nullable: true, description: 'When `containers` was read; null before the first check.' })
  checkedAt: Date | null;

  @ApiProperty({ type: [ContainerHealthDto] })
  containers: readonly ContainerHealthDto[];

  @ApiProperty({ type: RecoveryDto })
  recovery: RecoveryDto;

  static of(view: ServiceHealth): ServiceHealthDto {
    return { ...view };
  }
}
