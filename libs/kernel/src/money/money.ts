/**
 * An amount of integer minor units ("cents") in one ISO 4217 currency. Nothing divides by 100, so currencies without
 * cents work the same way.
 */
export class Money {
  private constructor(
    readonly cents: number,
    readonly currency: string,
  ) {}

  /** @throws RangeError if `cents` is not a safe integer or `currency` is not three capital letters */
  static of(cents: number, currency: string): Money {
    if (!Number.isSafeInteger(cents)) throw new RangeError(`an amount must be a safe integer of cents, not ${cents}`);
    if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(`not an ISO 4217 currency code: ${currency}`);
    return new Money(cents, currency);
  }

  /** @throws RangeError if the currencies differ or the sum exceeds the safe integers */
  plus(other: Money): Money {
    if (other.currency !== this.currency) throw new RangeError(`cannot add ${other.currency} to ${this.currency}`);
    return Money.of(this.cents + other.cents, this.currency);
  }

  equals(other: Money): boolean {
    return this.cents === other.cents && this.currency === other.currency;
  }
}
