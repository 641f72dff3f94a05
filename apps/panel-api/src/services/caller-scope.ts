import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Directory, type Caller } from '#libs/panel-auth';
import { OrganisationScope } from '#libs/services';

/** The organisations whose services a caller may see: all, or the one that its key is bound to and those below it. */
@Injectable()
export class CallerScope {
  constructor(private readonly directory: Directory) {}

  async of({ binding }: Caller): Promise<OrganisationScope> {
    return binding === null ? OrganisationScope.all : OrganisationScope.of(await this.directory.subtree(binding));
  }

  /**
   * The scope of the portal: the user's own organisation and those below it, whatever the key is bound to.
   * @throws NotFound for a user without an organisation
   */
  async ofHome(caller: Caller): Promise<OrganisationScope> {
    return OrganisationScope.of(await this.directory.subtree(this.home(caller)));
  }

  /** The user's own organisation. @throws NotFound for a user without one */
  home({ home }: Caller): Uuid {
    if (home === null) throw new NotFound();
    return home;
  }

  /**
   * The organisation that a new service belongs to.
   * @throws NotFound for one outside the binding of the key, whether or not it exists
   */
  async customerOf(caller: Caller, asked: Uuid | null): Promise<Uuid | null> {
    if (caller.binding === null) return asked;
    const scope = await this.of(caller);
    const customerId = asked ?? caller.binding;
    if (!scope.includes(customerId)) throw new NotFound();
    return customerId;
  }
}
