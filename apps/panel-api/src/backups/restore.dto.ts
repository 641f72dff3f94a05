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
      'A moment of the recovery window, instead of a backup: always into a new service. Everything that was committed ' +
      'until then is there, and nothing later.',
  })
  @IsOptional()
  @IsRFC3339({ message: '$property must be a time such as 2026-05-01T08:30:00Z' })
  at?: string;

  @ApiProperty({
    ...INTO,
    required: false,
    description:
      '`new`, the default: a service beside the old one, with credentials of its own. `same`: the data of this service are replaced, ' +
      'after another backup.',
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
    description: 'Of the new service; made from that of the old one when it is left out.',
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
    description: 'The name of the service; needed when its data are replaced.',
    example: 'Shop database',
  })
  @IsOptional()
  @IsText({ max: 200 })
  confirm?: string | null;
}

export class RecoveryWindowDto {
  @ApiProperty({ ...TIME, nullable: true, description: 'The first moment that can be restored; null: none can.' })
  from: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'The last one.' })
  to: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 1000,
    description:
      'Why the window does not grow, such as a gap in the log or a destination that takes none; null while it does.',
    example: null,
  })
  problem: string | null;

  static of({ window, problem }: RecoveryStanding): RecoveryWindowDto {
    return { from: window?.from ?? null, to: window?.to ?? null, problem };
  }
}

export class CloneServiceDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Of the new service.', example: 'Shop database, copy' })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;
}

export class RestoreDto {
  @ApiProperty(ID)
  restoreId: Uuid;

  @ApiProperty({ ...ID, nullable: true, description: 'Null for a restore to a moment.' })
  backupId: Uuid | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'The moment, for a restore to one.' })
  at: Date | null;

  @ApiProperty({ ...ID, description: 'The service that gets the data.' })
  serviceId: Uuid;

  @ApiProperty({ ...ID, nullable: true, description: 'The first deployment of a new service.' })
  deploymentId: Uuid | null;

  @ApiProperty(INTO)
  into: RestoreTarget;

  @ApiProperty({ ...ID, nullable: true, description: 'The backup that is taken before data are replaced.' })
  preRestoreBackupId: Uuid | null;

  @ApiProperty({ enum: RESTORE_STATUSES, enumName: 'RestoreStatus', example: 'queued' })
  status: RestoreStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 1000,
    description: 'Why it failed. A new service is removed then, and the data of an old one are as they were.',
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
