import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

const EXAMPLE_ID = '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11';

type Options = Pick<ApiPropertyOptions, 'description' | 'nullable' | 'required' | 'example'>;

/** A property that holds a UUID (TypeScript's metadata does not cover the branded type). */
export const ApiUuid = (options: Options = {}) =>
  ApiProperty({ type: String, format: 'uuid', example: EXAMPLE_ID, ...options } as ApiPropertyOptions);

/** A property that holds an instant: RFC 3339 in UTC with milliseconds. */
export const ApiTimestamp = (options: Options = {}) =>
  ApiProperty({
    type: String,
    format: 'date-time',
    example: '2026-05-01T08:30:00.000Z',
    ...options,
  } as ApiPropertyOptions);
