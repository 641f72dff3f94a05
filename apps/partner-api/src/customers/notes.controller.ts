import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CustomerNotes, NoteQueries } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { AcceptsIdempotencyKey, PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { CreateNoteDto, NoteDto } from './note.dto.js';

@ApiTags('Customer notes')
@ApiParam({ name: 'id', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
@Controller('v1/customers/:id/notes')
export class NotesController {
  constructor(
    private readonly notes: CustomerNotes,
    private readonly queries: NoteQueries,
  ) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'subtree', errors: [404] })
  @ApiOperation({
    operationId: 'listCustomerNotes',
    summary: 'Read the newest notes on a customer',
    description: 'The 50 most recent notes, newest first. Not paged.',
  })
  @ApiOkResponse({ type: [NoteDto], description: 'The newest notes.' })
  list(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<NoteDto[]> {
    return this.queries.newest(caller.subtree, id);
  }

  @Post()
  @PartnerRoute({ scope: 'write', tenancy: 'subtree', body: true, errors: [404] })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'createCustomerNote',
    summary: 'Add a note to a customer',
    description: 'Notes are never changed or removed. The author is taken from the credentials.',
  })
  @ApiCreatedResponse({ type: NoteDto, description: 'The new note.' })
  create(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: CreateNoteDto,
  ): Promise<NoteDto> {
    return this.notes.append(caller.subtree, id, caller.partnerId, body.body);
  }
}
