import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { buildMessage, ValidateBy } from 'class-validator';
import { parseUuid } from '#kernel/crypto/uuid';

/** A UUID, in upper case too; the handler gets the canonical one. For bodies and filters: a path id is never refused. */
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
