import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';

const NOBODY = '00000000-0000-0000-0000-000000000000' as Uuid;

/**
 * A path id that is no UUID becomes the id that nothing has: it answers exactly like a missing one, and after the
 * checks that come before the look-up.
 */
@Injectable()
export class PathId implements PipeTransform<string, Uuid> {
  transform(value: string): Uuid {
    return parseUuid(value) ?? NOBODY;
  }
}
