import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';

const NOBODY = '00000000-0000-0000-0000-000000000000' as Uuid;

/**
 * Turns a path id that is not a UUID into an id that nothing has. The response is the same as for a missing record, and
 * comes after the checks before the look-up.
 */
@Injectable()
export class PathId implements PipeTransform<string, Uuid> {
  transform(value: string): Uuid {
    return parseUuid(value) ?? NOBODY;
  }
}
