import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { IsText } from '#platform/http/validation/text.decorator';
import { IdentityDto } from './user.dto.js';

export class LoginDto {
  @ApiProperty({ required: false, maxLength: 254, example: 'ada@example.com' })
  @ValidateIf((body: LoginDto) => body.token === undefined)
  @IsText({ min: 1, max: 254 })
  email?: string;

  @ApiProperty({ required: false, maxLength: 1024, description: 'With `email`.', example: 'correct horse battery' })
  @ValidateIf((body: LoginDto) => body.token === undefined)
  @IsText({ min: 1, max: 1024 })
  password?: string;

  @ApiProperty({ required: false, maxLength: 200, description: 'A sign-in token, in place of both.', example: 'pst_…' })
  @ValidateIf((body: LoginDto) => body.token !== undefined)
  @IsText({ min: 1, max: 200 })
  token?: string;
}

export class LoggedInDto extends IdentityDto {
  @ApiProperty({ type: String, format: 'date-time', example: '2026-05-01T16:30:00.000Z' })
  expiresAt: Date;
}
