import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CustomerQueries, Customers } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { linkNextPage, PAGE_HEADERS, pageOf } from '../http/page.js';
import { AcceptsIdempotencyKey, PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { CreateCustomerDto, CustomerDto, UpdateCustomerDto } from './customer.dto.js';
import { CustomerListQuery, filterOf } from './customer-list.dto.js';

const CUSTOMER_ID = { name: 'id', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' };

@ApiTags('Customers')
@Controller('v1/customers')
export class CustomersController {
  constructor(
    private readonly customers: Customers,
    private readonly queries: CustomerQueries,
  ) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404, 422] })
  @ApiOperation({
    operationId: 'listCustomers',
    summary: 'List the customers of the subtree',
    description: 'Newest first. A page with fewer customers than `limit` is the last. All filters must match.',
  })
  @ApiOkResponse({ type: [CustomerDto], description: 'A page of customers.', headers: PAGE_HEADERS })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: CustomerListQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerDto[]> {
    const page = pageOf(query);
    const customers = await this.queries.list(caller.subtree, filterOf(query), page);
    linkNextPage(reply, page, customers);
    return customers;
  }

  @Post()
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', body: true, errors: [404] })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'createCustomer',
    summary: 'Create a customer',
    description: 'Omitted texts are empty and the status is `active`. Unknown fields are ignored.',
  })
  @ApiCreatedResponse({ type: CustomerDto, description: 'The new customer.' })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateCustomerDto): Promise<CustomerDto> {
    return this.customers.create(caller.subtree, body.partnerId ?? caller.partnerId, body);
  }

  @Get(':id')
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404] })
  @ApiOperation({ operationId: 'getCustomer', summary: 'Read a customer', description: 'One customer of the subtree.' })
  @ApiParam(CUSTOMER_ID)
  @ApiOkResponse({ type: CustomerDto, description: 'The customer.' })
  get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<CustomerDto> {
    return this.queries.get(caller.subtree, id);
  }

  @Patch(':id')
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', body: true, errors: [404] })
  @ApiOperation({
    operationId: 'updateCustomer',
    summary: 'Change a customer',
    description: 'Omitted fields keep their value. Unknown and read-only fields are ignored.',
  })
  @ApiParam(CUSTOMER_ID)
  @ApiOkResponse({ type: CustomerDto, description: 'The customer as it is now.' })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: UpdateCustomerDto,
  ): Promise<CustomerDto> {
    return this.customers.update(caller.subtree, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @PartnerRoute({
    scope: 'write',
    tenancy: 'subtree',
    errors: [404, 409],
    reasons: ['customer-has-live-licenses'],
  })
  @ApiOperation({
    operationId: 'deleteCustomer',
    summary: 'Delete a customer',
    description:
      'The customer disappears from every route, with its contacts and notes; history and billing remain. ' +
      'Refused with `customer-has-live-licenses` while one of its licenses is neither terminated nor ' +
      'expired.',
  })
  @ApiParam(CUSTOMER_ID)
  @ApiNoContentResponse({ description: 'The customer is deleted.' })
  async delete(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.customers.delete(caller.subtree, id);
  }
}
