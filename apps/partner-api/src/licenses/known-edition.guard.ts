import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Editions, editionUnknown } from '#libs/licensing';
import { isJsonObject } from '#kernel/text/json-object';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import { noteRefusal } from '#platform/http/errors/noted-refusals';
import { EDITION_LENGTH } from './license.dto.js';

/**
 * Which editions are on sale is a setting, and so more than the DTO of a new license can know, but needs no record: an
 * unknown one is told beside everything else that is wrong with the request.
 */
@Injectable()
export class KnownEditionGuard implements CanActivate {
  constructor(private readonly editions: Editions) {}

  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (isJsonObject(body) && isName(body.edition) && !this.editions.has(body.edition)) {
      noteRefusal(body, editionUnknown(this.editions.names));
    }
    return true;
  }
}

/** Of anything else the DTO says what is wrong with it. */
function isName(edition: unknown): edition is string {
  return typeof edition === 'string' && textDefect(edition) === null && characterCount(edition) <= EDITION_LENGTH;
}
