import { Injectable, type PipeTransform } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';

const NOBODY = '00000000-0000-0000-0000-000000000000' as Uuid;

/** An id that is not a UUID becomes an id that never exists, so the response is the same 404. */
@Injectable()
export class PathId implements PipeTransform<string, Uuid> {
  transform(value: string): Uuid {
    return parseUuid(value) ?? NOBODY;
  }
}

/** A name in a path. No stored name contains NUL, so such a name is 404. */
@Injectable()
export class PathName implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.includes('\0')) throw new NotFound();
    return value;
  }
}
