import { Injectable } from '@nestjs/common';
import { DomainRepository } from '../ports/ingress/domain-repository.js';

/** Detects whether the desired routes have changed since the last call, in any process. */
@Injectable()
export class IngressChanges {
  private seen: string | null = null;

  constructor(private readonly domains: DomainRepository) {}

  async haveCome(): Promise<boolean> {
    const digest = await this.domains.routedDigest();
    const isNew = digest !== this.seen;
    this.seen = digest;
    return isNew;
  }
}
