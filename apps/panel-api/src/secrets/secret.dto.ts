import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Invalid } from '#kernel/errors';
import { characterCount } from '#kernel/text/plain-text';
import type { SecretRecord } from '#libs/panel-auth';
import { IsText } from '#platform/http/validation/text.decorator';

const LONGEST_VALUE = 65_536;
const NAME = { maxLength: 64, pattern: '^[A-Z][A-Z0-9_]*$', example: 'SMTP_PASSWORD' };

export class WriteSecretDto {
  @ApiProperty({ ...NAME, description: 'For `${secret:NAME}` in the environment of a compose file.' })
  @IsText({ min: 1, max: 64 })
  @Matches(/^[A-Z][A-Z0-9_]*$/, { message: '$property must be capital letters, digits and underscores' })
  name: string;

  @ApiProperty({
    minLength: 1,
    maxLength: LONGEST_VALUE,
    description: `Write-only. At most ${LONGEST_VALUE} bytes of UTF-8.`,
    example: 's3cr3t',
  })
  @IsText({ min: 1, max: LONGEST_VALUE })
  value: string;

  /** @throws Invalid if the value has too many bytes, even if its number of characters is allowed */
  static check({ value }: Readonly<Record<string, unknown>>): void {
    if (typeof value !== 'string' || characterCount(value) > LONGEST_VALUE) return;
    if (Buffer.byteLength(value) > LONGEST_VALUE)
      throw Invalid.field('value', `must not be longer than ${LONGEST_VALUE} bytes`);
  }
}

export class SecretDto {
  @ApiProperty(NAME)
  name: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  createdAt: Date;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' })
  updatedAt: Date;

  static of({ name, createdAt, updatedAt }: SecretRecord): SecretDto {
    return { name, createdAt, updatedAt };
  }
}

export class SecretListDto {
  @ApiProperty({ type: [SecretDto] })
  secrets: SecretDto[];
}
