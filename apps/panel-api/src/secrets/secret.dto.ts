import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Invalid } from '#kernel/errors';
import { characterCount } from '#kernel/text/plain-text';
import type { SecretRecord } from '#libs/panel-auth';
import { IsText } from '#platform/http/validation/text.decorator';

const MAX_VALUE_LENGTH = 65_536;
const NAME = { maxLength: 64, pattern: '^[A-Z][A-Z0-9_]*$', example: 'SMTP_PASSWORD' };

export class WriteSecretDto {
  @ApiProperty({ ...NAME, description: 'For `${secret:NAME}` in the environment of a compose file.' })
  @IsText({ min: 1, max: 64 })
  @Matches(/^[A-Z][A-Z0-9_]*$/, { message: '$property must be capital letters, digits and underscores' })
  name: string;

  @ApiProperty({
    minLength: 1,
    maxLength: MAX_VALUE_LENGTH,
    description: `Write-only. At most ${MAX_VALUE_LENGTH} bytes of UTF-8.`,
    example: 's3cr3t',
  })
  @IsText({ min: 1, max: MAX_VALUE_LENGTH })
  value: string;

  /** @throws Invalid if the value has too many bytes, even if its number of characters is allowed */
  static check({ value }: Readonly<Record<string, unknown>>): void {
    if (typeof value !== 'string' || characterCount(value) > MAX_VALUE_LENGTH) return;
    if (Buffer.byteLength(value) > MAX_VALUE_LENGTH)
      throw Invalid.field('value', `must not be longer than ${MAX_VALUE_LENGTH} bytes`);
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
