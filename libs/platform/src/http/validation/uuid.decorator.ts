import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { buildMessage, ValidateBy } from 'class-validator';
import { parseUuid } from '#kernel/crypto/uuid';

/**
 * A UUID, also in upper case; the handler gets the canonical form. For bodies and filters: an invalid path id is a 404,
 * not a 422.
 */
export function IsId(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => parseUuid(value) ?? value),
    ValidateBy({
      name: 'isId',
      validator: {
        validate: (value) => parseUuid(value) !== null,
        defaultMessage: buildMessage((each) => `${each}$property must be a UUID`),
      },
    }),
  );
}
