import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { ContactQueries, Contacts } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { AcceptsIdempotencyKey, PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { ContactDto, CreateContactDto, UpdateContactDto } from './contact.dto.js';

const CUSTOMER_ID = { name: 'id', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' };
const CONTACT_ID = { name: 'contactId', format: 'uuid', example: '9f3a2c44-8d0e-4e1c-9b9f-0a5f0d3d7c21' };

@ApiTags('Contacts')
@ApiParam(CUSTOMER_ID)
@Controller('v1/customers/:id/contacts')
export class ContactsController {
  constructor(
    private readonly contacts: Contacts,
    private readonly queries: ContactQueries,
  ) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404] })
  @ApiOperation({
    operationId: 'listContacts',
    summary: 'List the contacts of a customer',
    description: 'The primary contact first, then newest first. Not paged.',
  })
  @ApiOkResponse({ type: [ContactDto], description: 'All contacts of the customer.' })
  list(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ContactDto[]> {
    return this.queries.list(caller.subtree, id);
  }

  @Post()
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', body: true, errors: [404] })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'createContact',
    summary: 'Add a contact to a customer',
    description: 'A first or last name is required. A new primary contact replaces the previous one.',
  })
  @ApiCreatedResponse({ type: ContactDto, description: 'The new contact.' })
  create(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: CreateContactDto,
  ): Promise<ContactDto> {
    return this.contacts.create(caller.subtree, id, body);
  }

  @Patch(':contactId')
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', body: true, errors: [404] })
  @ApiOperation({
    operationId: 'updateContact',
    summary: 'Change a contact',
    description: 'Omitted fields keep their value. A contact of another customer counts as missing.',
  })
  @ApiParam(CONTACT_ID)
  @ApiOkResponse({ type: ContactDto, description: 'The contact as it is now.' })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Param('contactId', PathId) contactId: Uuid,
    @Body() body: UpdateContactDto,
  ): Promise<ContactDto> {
    return this.contacts.update(caller.subtree, id, contactId, body);
  }

  @Delete(':contactId')
  @HttpCode(204)
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', errors: [404] })
  @ApiOperation({
    operationId: 'deleteContact',
    summary: 'Remove a contact',
    description: 'A contact of another customer counts as missing.',
  })
  @ApiParam(CONTACT_ID)
  @ApiNoContentResponse({ description: 'The contact is removed.' })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Param('contactId', PathId) contactId: Uuid,
  ): Promise<void> {
    await this.contacts.remove(caller.subtree, id, contactId);
  }
}
