import { Conflict, Forbidden, Invalid, Unauthenticated, Unavailable } from '#kernel/errors';

const ONE_TEXT = 'Sign in, or send a valid API key.';

/** One error with one text for every credential that does not authenticate, whatever is wrong with it. */
export class InvalidCredential extends Unauthenticated {
  constructor(cause?: unknown) {
    super('unauthorized', ONE_TEXT, { cause });
  }
}

export class PermissionMissing extends Forbidden {
  constructor() {
    super('forbidden', 'This credential is not allowed to do that.');
  }
}

/** The caller lacks a permission of the role it requests for a key. Nothing was written. */
export class InsufficientRole extends Forbidden {
  constructor() {
    super('insufficient_role', 'You do not hold every permission of the requested key.');
  }
}

/** The credential would be useless, because its user is disabled. */
export class UserDisabled extends Conflict {
  constructor() {
    super('user_disabled', 'The user is disabled. No credential of this user is accepted.');
  }
}

/** A customer's key belongs to an organisation. */
export class OrganisationMissing extends Conflict {
  constructor() {
    super('organisation_missing', 'The user belongs to no organisation. Add it to one first (cli members add).');
  }
}

export class ApiKeyLimitReached extends Conflict {
  constructor(limit: number) {
    super('api_key_limit_reached', `No more than ${limit} API keys can be active. Revoke one first.`);
  }
}

export class UnknownPermission extends Invalid {
  /** @param field the request field that contains the names, as in `permissionsDeny` */
  constructor(field: string, unknown: readonly { readonly index: number; readonly name: string }[]) {
    super(
      'unknown_permission',
      `${unknown.map(said).join('; ')} (GET /permissions lists them)`,
      unknown.map((one) => ({ path: `/${field}/${one.index}`, code: 'unknown_permission', message: said(one) })),
    );
  }
}

const said = ({ name }: { readonly name: string }) => `${JSON.stringify(name.slice(0, 80))} is not a known permission`;

/** A sign-in that ends without a session. The caller gets no reason; the audit log does. */
export class SignInRefused extends Unauthenticated {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super('unauthorized', ONE_TEXT, { cause });
  }
}

export class OidcUnconfigured extends Unavailable {
  override readonly retryAfterSeconds = null;

  constructor() {
    super('oidc_unconfigured', 'Sign-in with an identity provider is not configured.');
  }
}

export class IdentityProviderUnavailable extends Unavailable {
  constructor(cause?: unknown) {
    super('identity_provider_unavailable', 'The identity provider is not responding. Try again in a moment.', {
      cause,
    });
  }
}
