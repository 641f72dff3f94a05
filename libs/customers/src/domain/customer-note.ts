import type { Uuid } from '#kernel/crypto/uuid';

/** A dated remark on a customer. Append-only: nothing changes or removes it, the database included. */
export interface CustomerNote {
  /** Rises with each note of the whole system. */
  readonly id: number;
  readonly customerId: Uuid;
  /** Taken from the credentials: the partner of a token, the e-mail address of a signed-in person. */
  readonly author: string;
  readonly body: string;
  readonly at: Date;
}
