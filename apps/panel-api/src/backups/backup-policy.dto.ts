import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { type BackupPolicy, type PolicyChange, VERIFY_RULES, type VerifyRule } from '#libs/backups';
import { IsText } from '#platform/http/validation/text.decorator';

const MAX_DAYS = 366;
const MAX_WEEKS = 520;
const MAX_MONTHS = 120;
const WHOLE = { message: '$property must be a whole number' };

const kept = (what: string, maximum: number, example: number) => ({
  type: 'integer' as const,
  minimum: 0,
  maximum,
  description: `How many ${what} to keep the newest scheduled backup of.`,
  example,
});

export class SetBackupPolicyDto {
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 100,
    description: 'Five cron fields, in UTC; null: on demand only. One that never comes is refused.',
    example: '30 2 * * *',
  })
  @ValidateIf(({ schedule }: SetBackupPolicyDto) => schedule !== null)
  @IsText({ min: 1, max: 100, trim: true })
  schedule: string | null;

  @ApiProperty(kept('days', MAX_DAYS, 7))
  @Min(0)
  @Max(MAX_DAYS)
  @IsInt(WHOLE)
  keepDaily: number;

  @ApiProperty(kept('weeks (from Monday)', MAX_WEEKS, 4))
  @Min(0)
  @Max(MAX_WEEKS)
  @IsInt(WHOLE)
  keepWeekly: number;

  @ApiProperty(kept('months', MAX_MONTHS, 6))
  @Min(0)
  @Max(MAX_MONTHS)
  @IsInt(WHOLE)
  keepMonthly: number;

  @ApiProperty({
    enum: VERIFY_RULES,
    enumName: 'BackupVerifyRule',
    description: 'Which backups are restored for a trial: all, one a week, or none.',
    example: 'always',
  })
  @IsIn(VERIFY_RULES, { message: `$property must be one of ${VERIFY_RULES.join(', ')}` })
  verify: VerifyRule;

  @ApiProperty({ description: 'Keeps the log of the database too, for a restore to any moment.', example: false })
  @IsBoolean()
  pitr: boolean;

  static change({ schedule, keepDaily, keepWeekly, keepMonthly, verify, pitr }: SetBackupPolicyDto): PolicyChange {
    return { schedule, keepDaily, keepWeekly, keepMonthly, verify, pitr };
  }
}

export class BackupPolicyDto extends SetBackupPolicyDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next backup is made; null without a schedule.',
    example: '2026-05-02T02:30:00.000Z',
  })
  // Declared only: a field that class-validator does not know would stay in an instance made from a request.
  declare nextRunAt: Date | null;

  static of(policy: BackupPolicy): BackupPolicyDto {
    return { ...SetBackupPolicyDto.change(policy), nextRunAt: policy.nextRunAt };
  }
}
