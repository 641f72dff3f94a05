import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { LICENSE_STATES, type LicenseFilter, type LicenseState } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { IsId } from '#platform/http/validation/uuid.decorator';
import { IsBound } from '../http/instants.js';
import { PageQuery } from '../http/page.js';

export class LicenseListQuery extends PageQuery {
  @ApiPropertyOptional({ enum: LICENSE_STATES, enumName: 'LicenseState', description: 'Only this state.' })
  @MayBeAbsent()
  @IsIn(LICENSE_STATES, { message: `$property must be one of ${LICENSE_STATES.join(', ')}` })
  state?: LicenseState;

  @ApiPropertyOptional({ maxLength: 100, description: 'Only this edition.' })
  @MayBeAbsent()
  @IsText({ max: 100 })
  edition?: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Only licenses of this customer.' })
  @MayBeAbsent()
  @IsId()
  customerId?: Uuid;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Only licenses on this contract.' })
  @MayBeAbsent()
  @IsId()
  contractId?: Uuid;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Only licenses of this partner, not of partners below it.',
  })
  @MayBeAbsent()
  @IsId()
  partnerId?: Uuid;

  @ApiPropertyOptional({ maxLength: 500, description: 'Exactly this reference. Empty selects those without one.' })
  @MayBeAbsent()
  @IsText({ max: 500 })
  externalBillingRef?: string;

  @ApiPropertyOptional({ type: String, description: 'Issued at this time or later. A date or a timestamp.' })
  @MayBeAbsent()
  @IsBound('from')
  issuedFrom?: Date;

  @ApiPropertyOptional({ type: String, description: 'Issued at this time or earlier. A date includes its whole day.' })
  @MayBeAbsent()
  @IsBound('to')
  issuedTo?: Date;
}

export function filterOf(query: LicenseListQuery): LicenseFilter {
  const { state, edition, customerId, contractId, partnerId, externalBillingRef, issuedFrom, issuedTo } = query;
  return { state, edition, customerId, contractId, partnerId, externalBillingRef, issuedFrom, issuedTo };
}
