import { Injectable } from '@nestjs/common';
import { DomainRepository } from '../ports/ingress/domain-repository.js';

/** Tells whether what is to be routed has changed since the last time somebody asked, whoever changed it. */
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
