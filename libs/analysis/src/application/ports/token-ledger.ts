import type { Uuid } from '#kernel/crypto/uuid';

/** How many tokens the analyses of an organisation have used, by day in UTC. */
export abstract class TokenLedger {
  /** @param day `YYYY-MM-DD` */
  abstract used(organisationId: Uuid | null, day: string): Promise<number>;
  abstract add(organisationId: Uuid | null, day: string, tokens: number): Promise<void>;
}
