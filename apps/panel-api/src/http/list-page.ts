import { ApiProperty } from '@nestjs/swagger';

/** A page of a list. Pages count from 1. Invalid values, and sizes outside 1 to 100, are replaced by the defaults. */
export interface ListPage {
  readonly page: number;
  readonly pageSize: number;
}

export function listPage(page: unknown, pageSize: unknown): ListPage {
  return {
    page: integerWithin(page, 1, Number.MAX_SAFE_INTEGER / 100) ?? 1,
    pageSize: integerWithin(pageSize, 1, 100) ?? 20,
  };
}

export class PaginationDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  page: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, example: 20 })
  pageSize: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  total: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1 })
  totalPages: number;

  static of({ page, pageSize }: ListPage, total: number): PaginationDto {
    return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
  }
}

function integerWithin(value: unknown, low: number, high: number): number | null {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return null;
  const number = Number(value);
  return number >= low && number <= high ? number : null;
}
