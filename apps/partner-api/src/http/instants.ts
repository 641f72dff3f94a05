import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { buildMessage, ValidateBy } from 'class-validator';
import { instantBound, parseMoment } from '#kernel/time/instant';

/**
 * One inclusive end of a time range in a query: a timestamp means itself, a date means its first instant in UTC
 * (`from`) or its last (`to`). The handler gets a Date.
 */
export function IsBound(end: 'from' | 'to'): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (instantBound(value, end) ?? value) : value,
    ),
    ValidateBy({
      name: 'isBound',
      validator: {
        validate: (value) => value instanceof Date,
        defaultMessage: buildMessage((each) => `${each}$property must be a date or an RFC 3339 timestamp`),
      },
    }),
  );
}

/** An RFC 3339 timestamp or a date. The handler gets the text as sent. */
export function IsMoment(): PropertyDecorator {
  return ValidateBy({
    name: 'isMoment',
    validator: {
      validate: (value) => typeof value === 'string' && parseMoment(value) !== null,
      defaultMessage: buildMessage((each) => `${each}$property must be an RFC 3339 timestamp`),
    },
  });
}
