import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CUSTOMER_STATUSES, type CustomerFilter, type CustomerStatus } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';
import { PageQuery } from '../http/page.js';

export class CustomerListQuery extends PageQuery {
  @ApiPropertyOptional({ enum: CUSTOMER_STATUSES, enumName: 'CustomerStatus', description: 'Only this status.' })
  @MayBeAbsent()
  @IsIn(CUSTOMER_STATUSES, { message: `$property must be one of ${CUSTOMER_STATUSES.join(', ')}` })
  status?: CustomerStatus;

  @ApiPropertyOptional({ maxLength: 500, description: 'Exactly this reference. Empty selects those without one.' })
  @MayBeAbsent()
  @IsText({ max: 500 })
  externalRef?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Only customers of this partner, not of partners below it.',
  })
  @MayBeAbsent()
  @IsId()
  partnerId?: Uuid;

  @ApiPropertyOptional({
    maxLength: 500,
    description: 'Part of the name, legal name, e-mail address or external reference, ignoring case.',
  })
  @MayBeAbsent()
  @IsText({ max: 500 })
  q?: string;
}

export function filterOf({ status, externalRef, partnerId, q }: CustomerListQuery): CustomerFilter {
  return { status, externalRef, partnerId, q: q === '' ? undefined : q };
}
