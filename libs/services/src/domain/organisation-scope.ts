import type { Uuid } from '#kernel/crypto/uuid';

/** Whose services a caller can see: a required argument of every query. */
export class OrganisationScope {
  private constructor(
    /** Null: all of them, those that belong to no organisation too. */
    readonly organisationIds: readonly Uuid[] | null,
    /** Also what the panel runs for itself, which is nobody's. */
    readonly seesOwn: boolean = false,
  ) {}

  /** Of everybody: what an administrator sees. */
  static readonly all = new OrganisationScope(null);

  /** Of the panel itself, its own services too. No request of the API has this scope. */
  static readonly everything = new OrganisationScope(null, true);

  /** @param ids an organisation and all below it; none at all sees nothing */
  static of(ids: readonly Uuid[]): OrganisationScope {
    return new OrganisationScope([...ids]);
  }

  includes(organisationId: Uuid | null): boolean {
    if (this.organisationIds === null) return true;
    return organisationId !== null && this.organisationIds.includes(organisationId);
  }
}
