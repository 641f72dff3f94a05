import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsUUID, ValidateNested } from 'class-validator';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { IsText } from '#platform/http/validation/text.decorator';
import { ComposeSourceDto, GivenLimitsDto } from '../services/create-service.dto.js';

export class DeployTemplateDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Unique within its customer.', example: 'Shop database' })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    selfRequired: false,
    nullable: true,
    description:
      "Values for the template's variables, by name. SERVICE_NAME defaults to a host name made from `name`; " +
      'passwords are generated.',
    example: { DB_NAME: 'shop', DB_USER: 'shop' },
  })
  @IsOptional()
  @IsObject()
  variables?: Record<string, unknown> | null;

  @ApiProperty({ type: String, required: false, nullable: true, maxLength: 2000, example: 'Orders and customers' })
  @IsOptional()
  @IsText({ max: 2000 })
  description?: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    nullable: true,
    description: 'The organisation that the service is assigned to. Defaults to none.',
    example: null,
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be a UUID' })
  customerId?: string | null;

  @ApiProperty({
    type: GivenLimitsDto,
    required: false,
    nullable: true,
    description: "The database is tuned for these limits. Memory defaults to 512 MB, or to the template's minimum.",
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GivenLimitsDto)
  resourceLimits?: GivenLimitsDto | null;

  static readonly check = ComposeSourceDto.check;

  static customer({ customerId }: DeployTemplateDto): Uuid | null {
    return parseUuid(customerId);
  }
}

/** A database in the portal always belongs to the caller's organisation, so there is no `customerId`. */
export class DeployOwnTemplateDto extends OmitType(DeployTemplateDto, ['customerId']) {
  static readonly check = ComposeSourceDto.check;
}
