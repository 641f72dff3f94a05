import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import type { Uuid } from '#kernel/crypto/uuid';
import { type Restore, RESTORE_STATUSES, RESTORE_TARGETS, type RestoreStatus, type RestoreTarget } from '#libs/backups';
import { IsText } from '#platform/http/validation/text.decorator';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const INTO = { enum: RESTORE_TARGETS, enumName: 'RestoreTarget', example: 'new' };

export class RestoreBackupDto {
  @ApiProperty({ ...ID, description: 'A backup of this service.' })
  @IsUUID('all', { message: '$property must be a UUID' })
  backupId: string;

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

export class CloneServiceDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Of the new service.', example: 'Shop database, copy' })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;
}

export class RestoreDto {
  @ApiProperty(ID)
  restoreId: Uuid;

  @ApiProperty(ID)
  backupId: Uuid;

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
    const { createdAt, finishedAt } = state;
    return {
      ...{ restoreId: id, backupId, serviceId: targetId, deploymentId, into, preRestoreBackupId: safetyBackupId },
      ...{ status, errorMessage, createdAt, finishedAt },
    };
  }
}
