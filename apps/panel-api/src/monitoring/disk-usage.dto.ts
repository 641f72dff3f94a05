import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ServiceDiskUsage } from '#libs/services';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const BYTES = { type: 'integer', minimum: 0, example: 104_857_600 } as const;

class VolumeUsageDto {
  @ApiProperty({ description: 'Name on the engine.', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11_data' })
  name: string;

  @ApiProperty(BYTES)
  bytes: number;
}

class WritableUsageDto {
  @ApiProperty({ example: '4f1c0f8b2a7d' })
  id: string;

  @ApiProperty({ ...BYTES, description: 'Written outside its volumes.' })
  writableBytes: number;
}

class ImageUsageDto {
  @ApiProperty({ description: 'A name of the image, or its id when it has none.', example: 'docker.io/acme/web:1' })
  ref: string;

  @ApiProperty(BYTES)
  bytes: number;

  @ApiProperty({ description: 'Other services use this image too.', example: false })
  shared: boolean;
}

export class DiskUsageDto {
  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({ description: 'False when not measured in the last 15 minutes.', example: true })
  available: boolean;

  @ApiProperty({ ...TIME, nullable: true })
  measuredAt: Date | null;

  @ApiProperty(BYTES)
  limitBytes: number;

  @ApiProperty({ ...BYTES, nullable: true, description: 'Volumes and container data, without images.' })
  totalBytes: number | null;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    nullable: true,
    description: 'Percent of the limit. May exceed 100.',
    example: 2,
  })
  usedPct: number | null;

  @ApiProperty({ type: [VolumeUsageDto] })
  volumes: readonly VolumeUsageDto[];

  @ApiProperty({ type: [WritableUsageDto] })
  containers: readonly WritableUsageDto[];

  @ApiProperty({ type: [ImageUsageDto] })
  images: readonly ImageUsageDto[];

  @ApiProperty({ ...BYTES, nullable: true, description: 'Null if the engine does not report it.', example: null })
  logsBytes: number | null;

  @ApiProperty({
    ...BYTES,
    nullable: true,
    description: 'Size of its backups in the backup store. Not part of the total.',
    example: 1_048_576,
  })
  backupsBytes: number | null;

  static of(view: ServiceDiskUsage): DiskUsageDto {
    return { ...view };
  }
}
