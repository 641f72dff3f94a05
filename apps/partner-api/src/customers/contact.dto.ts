import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateBy, type ValidationArguments } from 'class-validator';
import { hasName, NAME_RULE, type Contact } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsEmailOrEmpty } from '#platform/http/validation/address.decorator';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { ApiTimestamp, ApiUuid } from '#platform/openapi/api-properties';

const Text = (example: string, description?: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: 500, example, description }),
    MayBeAbsent(),
    IsText({ max: 500 }),
  );

/** Two empty names are invalid, whatever the stored contact has. */
const LeavesName = () =>
  ValidateBy({
    name: 'leavesName',
    validator: {
      validate: (_value, args?: ValidationArguments) => {
        const { firstName, lastName } = (args?.object ?? {}) as UpdateContactDto;
        return typeof firstName !== 'string' || typeof lastName !== 'string' || hasName({ firstName, lastName });
      },
      defaultMessage: () => NAME_RULE,
    },
  });

/** Omitted fields keep their value; a change must leave a first or a last name. */
export class UpdateContactDto {
  @LeavesName() @Text('Ada') firstName?: string;
  @Text('Lovelace') lastName?: string;
  @Text('Head of Operations') title?: string;
  @IsEmailOrEmpty() @Text('ada@fabrikam.example', 'An e-mail address, or empty.') email?: string;
  @Text('+49 30 1234567') phone?: string;
  @Text('de-DE') locale?: string;
  @Text('prefers phone calls') notes?: string;

  @ApiPropertyOptional({ description: 'If true, this contact replaces the current primary contact.', example: true })
  @MayBeAbsent()
  @IsBoolean({ message: '$property must be true or false' })
  isPrimary?: boolean;
}

const NeedsName = () =>
  ValidateBy({
    name: 'needsName',
    validator: {
      validate: (_value, args?: ValidationArguments) => hasName(args?.object ?? {}),
      defaultMessage: () => NAME_RULE,
    },
  });

/** firstName or lastName is required; omitted fields are empty. */
export class CreateContactDto extends UpdateContactDto {
  // A rule on this class replaces the inherited ones, so these are repeated.
  @NeedsName() @Text('Ada') override firstName = '';
  override lastName = '';
}

export class ContactDto implements Contact {
  @ApiUuid() id: Uuid;
  @ApiProperty({ description: 'Short identifier for people. Never changes; not accepted as input.', example: 'P-7' })
  humanId: string;
  @ApiUuid() customerId: Uuid;
  @ApiProperty({ example: 'Ada' }) firstName: string;
  @ApiProperty({ example: 'Lovelace' }) lastName: string;
  @ApiProperty({ example: 'Head of Operations' }) title: string;
  @ApiProperty({ example: 'ada@fabrikam.example' }) email: string;
  @ApiProperty({ example: '+49 30 1234567' }) phone: string;
  @ApiProperty({ example: 'de-DE' }) locale: string;
  @ApiProperty({ example: 'prefers phone calls' }) notes: string;
  @ApiProperty({ description: 'At most one contact of a customer is primary.', example: true }) isPrimary: boolean;
  @ApiTimestamp() createdAt: Date;
  @ApiTimestamp() updatedAt: Date;
}
