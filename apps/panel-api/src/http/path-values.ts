import { Injectable, type PipeTransform } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';

const NOBODY = '00000000-0000-0000-0000-000000000000' as Uuid;

/** A path id that is no UUID becomes the id that nothing has: it answers exactly like a missing one. */
@Injectable()
export class PathId implements PipeTransform<string, Uuid> {
  transform(value: string): Uuid {
    return parseUuid(value) ?? NOBODY;
  }
}

/** A name in a path. One with a NUL, which nothing stored can have, is not found. */
@Injectable()
export class PathName implements PipeTransform<string, string> {
  transform(value: string): string {
    if (value.includes('\0')) throw new NotFound();
    return value;
  }
}
