import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, ValidateIf } from 'class-validator';

export class BackupKeyDto {
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 62,
    example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    description: 'A public key of age, as `age-keygen` prints it. Null: none.',
  })
  @ValidateIf((_object, value) => value !== null)
  @IsString({ message: '$property must be a string or null' })
  @MaxLength(62)
  publicKey: string | null;
}
