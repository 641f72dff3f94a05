import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  type Backup,
  BACKUP_KINDS,
  BACKUP_STATUSES,
  BACKUP_TRIGGERS,
  type BackupKind,
  type BackupStatus,
  type BackupTrigger,
  COMPARISONS,
  type Verification,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from '#libs/backups';
import { type ListPage, PaginationDto } from '../http/list-page.js';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const COUNT = { type: 'integer' as const, minimum: 0, nullable: true };

const VERIFICATION = {
  status: {
    type: 'string',
    enum: [...VERIFICATION_STATUSES],
    description:
      '`verified`: the backup was restored into a temporary server, and the result matched the dump. `skipped`: it was ' +
      'not attempted; `errorMessage` says why.',
    example: 'verified',
  },
  verifiedAt: { type: 'string', format: 'date-time', nullable: true, example: TIME.example },
  durationSeconds: { type: 'number', minimum: 0, nullable: true, example: 12.4 },
  objects: { ...COUNT, description: 'Number of tables, indexes, functions and other objects compared.', example: 42 },
  rows: { ...COUNT, description: 'Number of rows or keys compared.', example: 100_000 },
  compared: {
    type: 'string',
    enum: [...COMPARISONS, null],
    nullable: true,
    description:
      '`contents`: the contents of every table were compared too. `counts`: only the numbers of objects and rows, ' +
      'because the database is large or its engine allows no more. Null unless `verified`, and for base backups, which ' +
      'are restored with the log after them and read as a whole.',
    example: 'contents',
  },
  errorMessage: { type: 'string', nullable: true, maxLength: 1000, example: null },
} as const;

export type ShownVerification = Omit<Verification, 'attempts'>;

function shown({ attempts: _, ...verification }: Verification): ShownVerification {
  return verification;
}

export class BackupDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty(ID)
  serviceId: Uuid;

  @ApiProperty({
    enum: BACKUP_KINDS,
    enumName: 'BackupKind',
    description:
      '`dump`: written by the dump tool of the database. `snapshot`: a file of the database itself. `base`: the copy of all ' +
      'data that a recovery window begins with, taken daily. It is restored as of its end, into a new service only.',
    example: 'dump',
  })
  kind: BackupKind;

  @ApiProperty({ enum: BACKUP_STATUSES, enumName: 'BackupStatus', example: 'succeeded' })
  status: BackupStatus;

  @ApiProperty({ enum: BACKUP_TRIGGERS, enumName: 'BackupTrigger', example: 'schedule' })
  trigger: BackupTrigger;

  @ApiProperty({ ...COUNT, description: 'Size as stored: compressed and encrypted.', example: 1_048_576 })
  sizeBytes: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    minLength: 64,
    maxLength: 64,
    description: 'Of what is stored, which `GET /backups/{id}/download?sealed=true` returns.',
    example: '0d17b565c37bcbd895e9d92315a05c1c3c9a29f762b011a10c54a66cd53c9b31',
  })
  sha256: string | null;

  @ApiProperty(TIME)
  createdAt: Date;

  @ApiProperty({ ...TIME, nullable: true })
  startedAt: Date | null;

  @ApiProperty({ ...TIME, nullable: true })
  finishedAt: Date | null;

  @ApiProperty({ type: String, nullable: true, maxLength: 200, example: '16.14' })
  databaseVersion: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: VERIFICATION,
    required: Object.keys(VERIFICATION),
    selfRequired: true,
    description:
      'The outcome of the trial restore. Null until the backup has succeeded; for a base backup, until log was shipped after it.',
  })
  verification: ShownVerification | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description:
      'When the backup is deleted. Null: kept, as the newest usable backup of its service, or the newest base backup of a ' +
      'recovery window.',
  })
  expiresAt: Date | null;

  @ApiProperty({ type: String, nullable: true, maxLength: 1000, example: null })
  errorMessage: string | null;

  @ApiProperty({
    type: [String],
    maxItems: 20,
    description: 'Limitations of the backup, for example other databases of the server that it does not contain.',
    example: [],
  })
  notes: readonly string[];

  static of({ state }: Backup): BackupDto {
    const { id, serviceId, kind, status, trigger, sizeBytes, sha256, createdAt, startedAt, finishedAt } = state;
    const { databaseVersion, verification, expiresAt, errorMessage, notes } = state;
    return {
      id,
      serviceId,
      kind,
      status,
      trigger,
      sizeBytes,
      sha256,
      createdAt,
      startedAt,
      finishedAt,
      databaseVersion,
      verification: verification && shown(verification),
      expiresAt,
      errorMessage,
      notes,
    };
  }
}

export class BackupPageDto {
  @ApiProperty({ type: [BackupDto], maxItems: 100 })
  data: BackupDto[];

  @ApiProperty({ type: PaginationDto })
  pagination: PaginationDto;

  static ofPage(page: ListPage, { backups, total }: { backups: readonly Backup[]; total: number }): BackupPageDto {
    return { data: backups.map((backup) => BackupDto.of(backup)), pagination: PaginationDto.of(page, total) };
  }
}

export class AcceptedBackupDto {
  @ApiProperty(ID)
  backupId: Uuid;

  @ApiProperty({ enum: BACKUP_STATUSES, enumName: 'BackupStatus', example: 'queued' })
  status: BackupStatus;

  static of({ state }: Backup): AcceptedBackupDto {
    return { backupId: state.id, status: state.status };
  }
}

export class AcceptedVerificationDto {
  @ApiProperty(ID)
  backupId: Uuid;

  @ApiProperty({ enum: VERIFICATION_STATUSES, enumName: 'VerificationStatus', example: 'pending' })
  status: VerificationStatus;

  static of({ state }: Backup): AcceptedVerificationDto {
    return { backupId: state.id, status: state.verification?.status ?? 'pending' };
  }
}
