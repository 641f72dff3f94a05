import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Editions, editionUnknown } from '#libs/licensing';
import { isJsonObject } from '#kernel/text/json-object';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import { addViolations } from '#platform/http/errors/extra-violations';
import { EDITION_LENGTH } from './license.dto.js';

/**
 * Checks the edition against the setting EDITIONS, which the DTO of a new license does not know. An unknown edition is
 * reported together with all other errors of the request.
 */
@Injectable()
export class KnownEditionGuard implements CanActivate {
  constructor(private readonly editions: Editions) {}

  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (isJsonObject(body) && isName(body.edition) && !this.editions.has(body.edition)) {
      addViolations(body, editionUnknown(this.editions.names));
    }
    return true;
  }
}

/** The DTO reports any other problem with the value. */
function isName(edition: unknown): edition is string {
  return typeof edition === 'string' && textDefect(edition) === null && characterCount(edition) <= EDITION_LENGTH;
}
