import { Injectable, type Type } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { DtoValidationPipe } from '#platform/http/validation/dto-validation.pipe';

/** Validates arguments with the rules of a REST route, so that both report the same errors. */
@Injectable()
export class RestBody {
  readonly #pipe: DtoValidationPipe;

  constructor(clock: Clock) {
    this.#pipe = new DtoValidationPipe(clock);
  }

  /** @throws Invalid with every invalid field */
  async parse<Dto extends object>(type: Type<Dto>, given: Readonly<Record<string, unknown>>): Promise<Dto> {
    return (await this.#pipe.transform({ ...given }, { type: 'body', metatype: type })) as Dto;
  }
}
