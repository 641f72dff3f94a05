import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { SensitiveValues } from '#libs/services';
import { Redaction } from './redaction.js';

/** Redaction of everything that a service writes. */
@Injectable()
export class LogRedaction {
  constructor(private readonly values: SensitiveValues) {}

  /** @throws Conflict `secrets_unreadable`: without the values nothing can be redacted, so nothing is shown */
  async of(serviceId: Uuid): Promise<Redaction> {
    return new Redaction(await this.values.of(serviceId));
  }
}
