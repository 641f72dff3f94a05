import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import type { SecretRecord } from '#libs/panel-auth';
import { IsText } from '#platform/http/text.decorator';

const NAME = { maxLength: 64, pattern: '^[A-Z][A-Z0-9_]*$', example: 'SMTP_PASSWORD' };

export class WriteSecretDto {
  @ApiProperty({ ...NAME, description: 'For `${secret:NAME}` in the environment of a compose file.' })
  @IsText({ min: 1, max: 64 })
  @Matches(/^[A-Z][A-Z0-9_]*$/, { message: '$property must be capital letters, digits and underscores' })
  name: string;

  @ApiProperty({ minLength: 1, maxLength: 65_536, description: 'Written and never read back.', example: 's3cr3t' })
  @IsText({ min: 1, max: 65_536 })
  value: string;
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
