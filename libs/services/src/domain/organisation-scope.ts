import type { Uuid } from '#kernel/crypto/uuid';

/** The organisations whose services a caller can see. A required argument of every query. */
export class OrganisationScope {
  private constructor(
    /** Null means all, including services without an organisation. */
    readonly organisationIds: readonly Uuid[] | null,
    /** Whether the services that the panel runs for itself are included. */
    readonly seesOwn: boolean = false,
  ) {}

  /** What an administrator sees: every service except those that the panel runs for itself. */
  static readonly all = new OrganisationScope(null);

  /** For the panel's own work: includes the services that it runs for itself. No API request has this scope. */
  static readonly everything = new OrganisationScope(null, true);

  /** @param ids an organisation and all organisations below it; an empty list sees nothing */
  static of(ids: readonly Uuid[]): OrganisationScope {
    return new OrganisationScope([...ids]);
  }

  includes(organisationId: Uuid | null): boolean {
    if (this.organisationIds === null) return true;
    return organisationId !== null && this.organisationIds.includes(organisationId);
  }
}
