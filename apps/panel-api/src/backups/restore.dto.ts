import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsRFC3339, IsUUID, ValidateIf } from 'class-validator';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  type RecoveryStanding,
  type Restore,
  RESTORE_STATUSES,
  RESTORE_TARGETS,
  type RestoreStatus,
  type RestoreTarget,
} from '#libs/backups';
import { IsText } from '#platform/http/validation/text.decorator';
import { type ListPage, PaginationDto } from '../http/list-page.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const INTO = { enum: RESTORE_TARGETS, enumName: 'RestoreTarget', example: 'new' };

export class RestoreBackupDto {
  @ApiProperty({ ...ID, required: false, description: 'A backup of this service. Either this or `at`.' })
  @ValidateIf(({ at }: RestoreBackupDto) => at === undefined)
  @IsUUID('all', { message: '$property must be a UUID' })
  backupId?: string;

  @ApiProperty({
    ...TIME,
    required: false,
    description:
      'A time in the recovery window, in place of `backupId`. The restore has every transaction committed until then, ' +
      'and none after. For MariaDB and MySQL it is rounded down to whole seconds. It always creates a new service.',
  })
  @IsOptional()
  @IsRFC3339({ message: '$property must be a time such as 2026-05-01T08:30:00Z' })
  at?: string;

  @ApiProperty({
    ...INTO,
    required: false,
    description:
      '`new`, the default: into a new service with its own credentials. `same`: the data of this service are ' +
      'replaced, after another backup was made.',
  })
  @IsOptional()
  @IsIn(RESTORE_TARGETS, { message: `$property must be one of ${RESTORE_TARGETS.join(', ')}` })
  into?: RestoreTarget;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    minLength: 1,
    maxLength: 200,
    description: 'Name of the new service. Defaults to one made from the name of the old service.',
    example: 'Shop database of May',
  })
  @IsOptional()
  @IsText({ min: 1, max: 200, trim: true })
  name?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    maxLength: 200,
    description: 'The name of the service. Required if its data are replaced.',
    example: 'Shop database',
  })
  @IsOptional()
  @IsText({ max: 200 })
  confirm?: string | null;
}

export class RecoveryWindowDto {
  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'The earliest time that can be restored. Null if there is none.',
  })
  from: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'The latest time that can be restored.' })
  to: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 1000,
    description:
      'What is wrong, for example a gap in the log, an unreachable destination, or a base backup that fails and when it is ' +
      'tried again. Null while all is well.',
    example: null,
  })
  problem: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description:
      'How exactly a time can be restored, in milliseconds: 1 for PostgreSQL, 1000 for MariaDB and MySQL, whose logs ' +
      'record whole seconds. `at` is rounded down to it.',
    example: 1,
  })
  resolutionMs: number;

  static of({ window, problem, resolutionMs }: RecoveryStanding): RecoveryWindowDto {
    return { from: window?.from ?? null, to: window?.to ?? null, problem, resolutionMs };
  }
}

export class CloneServiceDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the new service.',
    example: 'Shop database, copy',
  })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;
}

export class RestoreDto {
  @ApiProperty(ID)
  restoreId: Uuid;

  @ApiProperty({ ...ID, nullable: true, description: 'Null for a restore to a point in time.' })
  backupId: Uuid | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'The point in time that is restored, if any.' })
  at: Date | null;

  @ApiProperty({ ...ID, description: 'The service that the data are restored into.' })
  serviceId: Uuid;

  @ApiProperty({ ...ID, nullable: true, description: 'The first deployment of the new service, if any.' })
  deploymentId: Uuid | null;

  @ApiProperty(INTO)
  into: RestoreTarget;

  @ApiProperty({ ...ID, nullable: true, description: 'The backup made before data are replaced.' })
  preRestoreBackupId: Uuid | null;

  @ApiProperty({ enum: RESTORE_STATUSES, enumName: 'RestoreStatus', example: 'queued' })
  status: RestoreStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 1000,
    description: 'Why the restore failed. A new service is then removed; the data of an existing one are unchanged.',
    example: null,
  })
  errorMessage: string | null;

  @ApiProperty(TIME)
  createdAt: Date;

  @ApiProperty({ ...TIME, nullable: true })
  finishedAt: Date | null;

  static of({ state }: Restore): RestoreDto {
    const { id, backupId, targetId, deploymentId, into, safetyBackupId, status, errorMessage } = state;
    const { createdAt, finishedAt, recoverTo: at } = state;
    return {
      restoreId: id,
      backupId,
      at,
      serviceId: targetId,
      deploymentId,
      into,
      preRestoreBackupId: safetyBackupId,
      status,
      errorMessage,
      createdAt,
      finishedAt,
    };
  }
}

export class RestorePageDto {
  @ApiProperty({ type: [RestoreDto], maxItems: 100 })
  data: RestoreDto[];

  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;

  static ofPage(page: ListPage, { restores, total }: { restores: readonly Restore[]; total: number }): RestorePageDto {
    return { data: restores.map((restore) => RestoreDto.of(restore)), pagination: PaginationDto.of(page, total) };
  }
}
