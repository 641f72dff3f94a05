import { OmitType } from '@nestjs/swagger';
import { ComposeSourceDto, CreateServiceDto } from '../services/create-service.dto.js';

/** A service of the own organisation: there is nobody to assign it to. */
export class NewServiceDto extends OmitType(CreateServiceDto, ['customerId']) {
  static readonly check = ComposeSourceDto.check;
}
