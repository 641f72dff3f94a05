import { OmitType } from '@nestjs/swagger';
import { ComposeSourceDto, CreateServiceDto } from '../services/create-service.dto.js';
import { RollbackDto } from '../services/deployment.dto.js';
import { NoCustomer } from './no-customer.decorator.js';

export class PortalComposeSourceDto extends ComposeSourceDto {
  @NoCustomer()
  customerId?: never;
}

export class PortalNewServiceDto extends OmitType(CreateServiceDto, ['customerId']) {
  @NoCustomer()
  customerId?: never;
}

export class PortalRollbackDto extends RollbackDto {
  @NoCustomer()
  customerId?: never;
}
