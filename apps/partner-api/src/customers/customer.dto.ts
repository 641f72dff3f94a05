import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CUSTOMER_STATUSES, type Customer, type CustomerStatus } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsCountryOrEmpty, IsEmailOrEmpty, IsWebsiteOrEmpty } from '#platform/http/validation/address.decorator';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';
import { ApiTimestamp, ApiUuid } from '#platform/openapi/api-properties';

const WEBSITE =
  'An http or https address of a public host (with a dot in its name, so not `localhost`), or empty. The scheme may be ' +
  'left out: `example.com` is accepted and stored as given.';
const COUNTRY = 'An assigned ISO 3166-1 alpha-2 code in upper case, or empty.';

const Text = (example: string, description?: string, pattern?: string) =>
  applyDecorators(
    ApiPropertyOptional({ maxLength: 500, example, description, pattern }),
    MayBeAbsent(),
    IsText({ max: 500 }),
  );
const Country = () => applyDecorators(Text('DE', COUNTRY, '^([A-Z]{2})?$'), IsCountryOrEmpty());
const Email = (example: string) => applyDecorators(Text(example, 'An e-mail address, or empty.'), IsEmailOrEmpty());

/** Every writable field besides the name. */
class CustomerFieldsDto {
  @Text('crm-4711', 'Your own reference, stored as given.') externalRef?: string;
  @Text('Fabrikam Hosting GmbH') legalName?: string;
  @Text('DE123456789') vatId?: string;
  @Email('office@fabrikam.example') email?: string;
  @Text('+49 30 1234567') phone?: string;
  @Text('Lindenstrasse 1') billingStreet?: string;
  @Text('10969') billingPostalCode?: string;
  @Text('Berlin') billingCity?: string;
  @Text('Berlin') billingRegion?: string;
  @Country() billingCountry?: string;
  @Text('Postfach 12') postalStreet?: string;
  @Text('10001') postalPostalCode?: string;
  @Text('Berlin') postalCity?: string;
  @Text('Berlin') postalRegion?: string;
  @Country() postalCountry?: string;
  @IsWebsiteOrEmpty() @Text('https://fabrikam.example', WEBSITE) website?: string;
  @Email('owner@fabrikam.example') ownerEmail?: string;

  @ApiPropertyOptional({ enum: CUSTOMER_STATUSES, enumName: 'CustomerStatus', example: 'active' })
  @MayBeAbsent()
  @IsIn(CUSTOMER_STATUSES, { message: `$property must be one of ${CUSTOMER_STATUSES.join(', ')}` })
  status?: CustomerStatus;
}

const NAME = { minLength: 1, maxLength: 200, description: 'Surrounding white space is removed.', example: 'Fabrikam' };

export class CreateCustomerDto extends CustomerFieldsDto {
  @ApiProperty(NAME)
  @IsText({ min: 1, max: 200, trim: true })
  name: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'The partner, in your subtree, that gets the customer. Defaults to the caller.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  @MayBeAbsent()
  @IsId()
  partnerId?: Uuid;
}

export class UpdateCustomerDto extends CustomerFieldsDto {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, trim: true })
  name?: string;
}

export class CustomerDto implements Customer {
  @ApiUuid() id: Uuid;
  @ApiProperty({ description: 'Short identifier for people. Never changes; not accepted as input.', example: 'C-1042' })
  humanId: string;
  @ApiUuid({ description: 'The partner that the customer belongs to.' }) partnerId: Uuid;
  @ApiProperty({ example: 'crm-4711' }) externalRef: string;
  @ApiProperty({ example: 'Fabrikam' }) name: string;
  @ApiProperty({ example: 'Fabrikam Hosting GmbH' }) legalName: string;
  @ApiProperty({ example: 'DE123456789' }) vatId: string;
  @ApiProperty({ example: 'office@fabrikam.example' }) email: string;
  @ApiProperty({ example: '+49 30 1234567' }) phone: string;
  @ApiProperty({ example: 'Lindenstrasse 1' }) billingStreet: string;
  @ApiProperty({ example: '10969' }) billingPostalCode: string;
  @ApiProperty({ example: 'Berlin' }) billingCity: string;
  @ApiProperty({ example: 'Berlin' }) billingRegion: string;
  @ApiProperty({ description: COUNTRY, example: 'DE' }) billingCountry: string;
  @ApiProperty({ example: 'Postfach 12' }) postalStreet: string;
  @ApiProperty({ example: '10001' }) postalPostalCode: string;
  @ApiProperty({ example: 'Berlin' }) postalCity: string;
  @ApiProperty({ example: 'Berlin' }) postalRegion: string;
  @ApiProperty({ description: COUNTRY, example: 'DE' }) postalCountry: string;
  @ApiProperty({ example: 'https://fabrikam.example' }) website: string;
  @ApiProperty({ example: 'owner@fabrikam.example' }) ownerEmail: string;
  @ApiProperty({ enum: CUSTOMER_STATUSES, enumName: 'CustomerStatus', example: 'active' }) status: CustomerStatus;
  @ApiTimestamp() createdAt: Date;
}
