import { ApiProperty } from '@nestjs/swagger';
import type { CustomerNote } from '#libs/customers';
import type { Uuid } from '#kernel/crypto/uuid';
import { IsText } from '#platform/http/validation/text.decorator';
import { ApiTimestamp, ApiUuid } from '#platform/openapi/api-properties';

export class CreateNoteDto {
  @ApiProperty({ minLength: 1, maxLength: 10_000, description: 'Must not be blank.', example: 'Called, wants 20.' })
  @IsText({ min: 1, max: 10_000, blank: false })
  body: string;
}

export class NoteDto implements CustomerNote {
  @ApiProperty({ type: 'integer', format: 'int64', example: 118 })
  id: number;

  @ApiUuid()
  customerId: Uuid;

  @ApiProperty({
    description: 'Who wrote it: the id of the partner, or the e-mail address of a signed-in person.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  author: string;

  @ApiProperty({ example: 'Called, wants 20.' })
  body: string;

  @ApiTimestamp()
  at: Date;
}
