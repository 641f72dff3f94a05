import { OmitType } from '@nestjs/swagger';
import { ComposeSourceDto, CreateServiceDto } from '../services/create-service.dto.js';

/** A service in the portal always belongs to the caller's organisation, so there is no `customerId`. */
export class NewServiceDto extends OmitType(CreateServiceDto, ['customerId']) {
  static readonly check = ComposeSourceDto.check;
}
