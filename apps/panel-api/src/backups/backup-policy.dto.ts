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
  description: `The newest scheduled backup of each of this many ${what} is kept.`,
  example,
});

export class SetBackupPolicyDto {
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 100,
    description: 'Five cron fields, in UTC. Null: only on demand. A schedule that never fires is refused.',
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
    description: 'Which backups are verified by a trial restore: all, one a week, or none.',
    example: 'always',
  })
  @IsIn(VERIFY_RULES, { message: `$property must be one of ${VERIFY_RULES.join(', ')}` })
  verify: VerifyRule;

  @ApiProperty({ description: 'Also archives the write-ahead log, for restores to any point in time.', example: false })
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
    description: 'Time of the next backup. Null without a schedule.',
    example: '2026-05-02T02:30:00.000Z',
  })
  // `declare` emits no field. Otherwise instances would have a property that class-validator does not know.
  declare nextRunAt: Date | null;

  static of(policy: BackupPolicy): BackupPolicyDto {
    return { ...SetBackupPolicyDto.change(policy), nextRunAt: policy.nextRunAt };
  }
}
