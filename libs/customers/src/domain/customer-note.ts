import type { Uuid } from '#kernel/crypto/uuid';

/** A dated remark on a customer. Append-only: nothing can change or remove it, enforced by the database too. */
export interface CustomerNote {
  /** Increases with each note in the whole system. */
  readonly id: number;
  readonly customerId: Uuid;
  /** Taken from the credentials: the partner of a token, the e-mail address of a signed-in person. */
  readonly author: string;
  readonly body: string;
  readonly at: Date;
}
