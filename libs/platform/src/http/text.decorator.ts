import { applyDecorators } from '@nestjs/common';
import { buildMessage, MaxLength, MinLength, ValidateBy, ValidateIf } from 'class-validator';
import { Transform } from 'class-transformer';
import { textDefect } from '#kernel/plain-text';

/** A string that PostgreSQL stores as given: no NUL, no lone surrogate. */
function IsStorableText(): PropertyDecorator {
  return ValidateBy({
    name: 'isStorableText',
    validator: {
      validate: (value) => typeof value === 'string' && textDefect(value) === null,
      defaultMessage: buildMessage(
        (each, args) =>
          `${each}$property ${typeof args?.value === 'string' ? textDefect(args.value) : 'must be a string'}`,
      ),
    },
  });
}

function IsNotBlank(): PropertyDecorator {
  return ValidateBy({
    name: 'isNotBlank',
    validator: {
      validate: (value) => typeof value === 'string' && value.trim() !== '',
      defaultMessage: buildMessage((each) => `${each}$property must not be empty or white space alone`),
    },
  });
}

/** The key may be left out; `null` is a value like any other and is refused. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/**
 * A text of `min` to `max` characters (UTF-16 units). With `trim` surrounding white space is dropped before it is
 * measured and stored; with `blank: false` white space alone is refused and the text kept as given.
 */
export function IsText(limits: { min?: number; max: number; trim?: boolean; blank?: boolean }): PropertyDecorator {
  const { min = 0, max, trim = false, blank = true } = limits;
  return applyDecorators(
    IsStorableText(),
    ...(blank ? [] : [IsNotBlank()]),
    MinLength(min, {
      message: min === 1 ? '$property must not be empty' : `$property must have at least ${min} characters`,
    }),
    MaxLength(max, { message: `$property must have at most ${max} characters` }),
    ...(trim ? [Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))] : []),
  );
}
