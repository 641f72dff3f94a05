import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { buildMessage, ValidateBy } from 'class-validator';

/**
 * The key must not be in the body, with whatever value: a customer who names an organisation is told that it makes no
 * difference, instead of a service appearing where it was not expected.
 */
export function NoCustomer(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    ValidateBy({
      name: 'notAllowed',
      validator: {
        validate: (value) => value === undefined,
        defaultMessage: buildMessage(
          (each) => `${each}$property must not be given: the portal is about your own organisation`,
        ),
      },
    }),
  );
}
