import { applyDecorators } from '@nestjs/common';
import { buildMessage, ValidateBy, ValidateIf } from 'class-validator';
import { Transform } from 'class-transformer';
import { characterCount, textDefect } from '#kernel/text/plain-text';

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
      defaultMessage: buildMessage((each) => `${each}$property must not be empty or only white space`),
    },
  });
}

/** Two rules, so that their error codes are the well-known `minLength` and `maxLength`. */
function HasLength(min: number, max: number): PropertyDecorator {
  const least = min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  return applyDecorators(
    LengthRule('minLength', (length) => length >= min, least),
    LengthRule('maxLength', (length) => length <= max, `must have at most ${max} characters`),
  );
}

function LengthRule(name: string, holds: (length: number) => boolean, problem: string): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      // For a value that is not a string, the rule about strings reports the error.
      validate: (value) => typeof value !== 'string' || holds(characterCount(value)),
      defaultMessage: buildMessage((each) => `${each}$property ${problem}`),
    },
  });
}

/** The key may be omitted; `null` is treated like any other value and refused. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/**
 * A string of `min` to `max` characters (code points). With `trim`, surrounding white space is removed before it is
 * measured and stored. With `blank: false`, a string of only white space is refused, and others are stored as given.
 */
export function IsText(limits: { min?: number; max: number; trim?: boolean; blank?: boolean }): PropertyDecorator {
  const { min = 0, max, trim = false, blank = true } = limits;
  return applyDecorators(
    IsStorableText(),
    ...(blank ? [] : [IsNotBlank()]),
    HasLength(min, max),
    ...(trim ? [Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))] : []),
  );
}
