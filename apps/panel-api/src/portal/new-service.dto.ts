import { OmitType } from '@nestjs/swagger';
import { CreateServiceDto } from '../services/create-service.dto.js';

/** A service of the own organisation: there is nobody to assign it to. */
export class NewServiceDto extends OmitType(CreateServiceDto, ['customerId']) {}
