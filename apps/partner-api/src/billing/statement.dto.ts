import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { EXPORT_FORMATS, type ExportFormat, type StatementView } from '#libs/billing';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiTimestamp, ApiUuid } from '#platform/openapi/api-properties';
import { BilledPeriodDto, LineDto, TotalDto } from './usage.dto.js';

export const LOCKED_STATES = ['finalized', 'superseded'] as const;

export class ExportQuery {
  @ApiProperty({ enum: EXPORT_FORMATS, enumName: 'ExportFormat', description: 'Required.', example: 'csv' })
  @IsIn(EXPORT_FORMATS)
  format: ExportFormat;
}

export class StatementSummaryDto extends BilledPeriodDto {
  @ApiUuid({ description: 'Id of this revision.', example: '7d0e3a52-4a5b-4a3c-8b59-0f3c1d2e4f60' })
  id: Uuid;

  @ApiProperty({ type: 'integer', description: '1 for the first revision; each correction adds 1.', example: 1 })
  revision: number;

  @ApiProperty({
    enum: LOCKED_STATES,
    enumName: 'StatementStatus',
    description: '`superseded` once a correction has replaced it. Drafts are not shown.',
    example: 'finalized',
  })
  status: string;

  @ApiTimestamp({ description: 'When the figures were computed.', example: '2026-07-01T03:00:00.000Z' })
  computedAt: Date;

  @ApiProperty({ description: 'Who finalized the statement.', example: 'Ada' })
  finalizedBy: string;

  @ApiTimestamp({ description: 'When the statement was finalized. Nothing in it has changed since.' })
  finalizedAt: Date;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'The revision that this one corrects. Only on corrections.',
    example: '0f0e3a52-4a5b-4a3c-8b59-0f3c1d2e4f61',
  })
  supersedesStatementId?: Uuid;

  @ApiProperty({ type: [TotalDto], description: 'One total per currency, sorted by code.' })
  totals: TotalDto[];

  static from(statement: StatementView): StatementSummaryDto {
    const { id, period, revision, status, computedAt, finalizedBy, finalizedAt, supersedesStatementId } = statement;
    return {
      id,
      periodStart: period.firstDay.toString(),
      periodEnd: period.lastDay.toString(),
      revision,
      status,
      computedAt,
      finalizedBy: finalizedBy!,
      finalizedAt: finalizedAt!,
      ...(supersedesStatementId && { supersedesStatementId }),
      totals: statement.totals.map(({ currency, cents }) => ({ currency, amountCents: cents })),
    };
  }
}

export class StatementDto extends StatementSummaryDto {
  @ApiUuid({ description: 'The partner that is billed.' })
  partnerId: Uuid;

  @ApiProperty({ type: [LineDto], description: 'Sorted by contract id.' })
  lines: LineDto[];
}
