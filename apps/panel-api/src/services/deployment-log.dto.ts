import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import { LOG_SOURCES, type DeploymentLogLine } from '#libs/services';

export const MAX_LOG_LINES = 10_000;

class DeploymentLogLineDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Line number, from 1. A jump means that lines of a long log were left out.',
    example: 12,
  })
  n: number;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  at: Date;

  @ApiProperty({ description: 'The current step.', example: 'health_gate' })
  step: string;

  @ApiProperty({ enum: LOG_SOURCES, enumName: 'DeploymentLogSource', example: 'container' })
  source: DeploymentLogLine['source'];

  @ApiProperty({ type: String, nullable: true, description: 'The name in the compose file.', example: 'web' })
  container: string | null;

  @ApiProperty({
    description: 'Written by a container, a probe or a build, unless `source` is `panel`.',
    example: 'exit',
  })
  text: string;
}

export class DeploymentLogDto {
  @ApiProperty({ type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  deploymentId: Uuid;

  @ApiProperty({ type: [DeploymentLogLineDto], description: 'Oldest first.' })
  lines: DeploymentLogLineDto[];

  static of(deploymentId: Uuid, lines: readonly DeploymentLogLine[]): DeploymentLogDto {
    return { deploymentId, lines: lines.map((line) => ({ ...line })) };
  }
}
