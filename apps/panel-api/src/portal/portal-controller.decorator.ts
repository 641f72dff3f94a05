import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NoCustomerGuard } from './no-customer.guard.js';

/** A controller of routes for customers, below `/api/v1/portal`. Each of its routes declares `reach: 'home'`. */
export function PortalController(path: string): ClassDecorator {
  return applyDecorators(ApiTags('Portal'), Controller(`api/v1/portal/${path}`), UseGuards(NoCustomerGuard));
}
