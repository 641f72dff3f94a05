import { Injectable, ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { combined } from '#kernel/collect-violations';
import { Clock } from '#kernel/time/clock';
import { Invalid, type Violation } from '#kernel/errors';
import { isJsonObject } from '#kernel/text/json-object';
import { addedViolationsOf } from '../errors/extra-violations.js';
import { PlainRules } from './plain-rules.js';

/** A DTO class with checks that decorators cannot express. */
export interface SelfChecking {
  /**
   * Gets the raw request, unvalidated.
   * @throws Invalid
   */
  check(sent: Readonly<Record<string, unknown>>, now: Date): void;
}

/**
 * Validates a request against its DTO. Unknown keys are dropped silently; one 422 names every invalid field. Checks
 * that need stored records happen elsewhere.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  constructor(private readonly clock: Clock) {
    super({
      whitelist: true,
      forbidNonWhitelisted: false,
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => invalid(errors),
    });
  }

  override transform(sent: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Values from our own decorators are not input.
    if (metadata.type === 'custom') return Promise.resolve(sent);
    const isLeftOut = sent === undefined || sent === null;
    const value = isLeftOut && metadata.type === 'body' && mayBeMissing(metadata.metatype) ? {} : sent;
    if (metadata.type === 'body' && !isJsonObject(value))
      return Promise.reject(Invalid.at([], 'body must be a JSON object'));
    const { metatype } = metadata;
    if (isJsonObject(value)) {
      const noted = addedViolationsOf(value);
      const check = isSelfChecking(metatype) ? metatype : null;
      if (check || noted.length > 0) return this.checked(value, check, noted, metadata);
    }
    const accepted = isJsonObject(value) && metatype && PlainRules.of(metatype)?.accept(value);
    return accepted ? Promise.resolve(accepted) : (super.transform(value, metadata) as Promise<unknown>);
  }

  private async checked(
    sent: Record<string, unknown>,
    type: SelfChecking | null,
    noted: readonly Invalid[],
    metadata: ArgumentMetadata,
  ) {
    const refusals = [...noted];
    const refused = (error: unknown) => {
      if (!(error instanceof Invalid)) throw error;
      refusals.push(error);
    };
    const plain = metadata.metatype && PlainRules.of(metadata.metatype)?.accept(sent);
    const accepted: unknown = plain || (await super.transform(sent, metadata).catch(refused));
    try {
      type?.check(sent, this.clock.now());
    } catch (error) {
      refused(error);
    }
    if (refusals.length > 0) throw combined(refusals);
    return accepted;
  }
}

/**
 * True for a DTO class with `static readonly mayBeMissing = true`: it has no required fields, so the body may be
 * omitted.
 */
function mayBeMissing(type: unknown): boolean {
  return typeof type === 'function' && 'mayBeMissing' in type;
}

function isSelfChecking(type: unknown): type is SelfChecking {
  return typeof type === 'function' && 'check' in type;
}

function invalid(errors: readonly ValidationError[]): Invalid {
  const violations = errors.flatMap((error) => violationsOf(error, ''));
  return new Invalid('validation', violations.map((violation) => violation.message).join('; '), violations);
}

function violationsOf(error: ValidationError, parent: string): Violation[] {
  const path = `${parent}/${error.property}`;
  const isMissing = error.value === undefined;
  const own = Object.entries(error.constraints ?? {}).map(([code, message]) => ({
    path,
    code: isMissing ? 'required' : code,
    message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => violationsOf(child, path))];
}
