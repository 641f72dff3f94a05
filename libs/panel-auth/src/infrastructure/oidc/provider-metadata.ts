import type { ServerMetadata } from 'openid-client';
import { Clock } from '#kernel/time/clock';
import { IdentityProviderUnavailable } from '../../domain/panel-auth-errors.js';
import { withoutData } from './provider-failures.js';
import type { OidcSettings } from './oidc-settings.js';
import { publishedMetadata } from './published-metadata.js';

const FRESH_MS = 60 * 60_000;
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** The provider's published metadata, fetched when first needed and again every hour. */
export class ProviderMetadata {
  private known: { readonly metadata: ServerMetadata; readonly until: number } | null = null;
  private failed: { readonly error: IdentityProviderUnavailable; readonly until: number } | null = null;
  private running: Promise<ServerMetadata> | null = null;

  constructor(
    private readonly settings: OidcSettings,
    private readonly clock: Clock,
    private readonly deadlineMs: number,
  ) {}

  /**
   * A provider that is down is not asked again for two seconds, and its known metadata stay in use.
   * @throws IdentityProviderUnavailable if nothing is known
   */
  async get(): Promise<ServerMetadata> {
    const now = this.clock.now().getTime();
    if (this.known && now < this.known.until) return this.known.metadata;
    if (this.failed && now < this.failed.until) return this.staleOr(this.failed.error);
    this.running ??= this.discover().finally(() => (this.running = null));
    return this.running;
  }

  private async discover(): Promise<ServerMetadata> {
    try {
      const { issuer, clientId } = this.settings;
      const metadata = await publishedMetadata(issuer, clientId, this.deadlineMs);
      this.known = { metadata, until: this.clock.now().getTime() + FRESH_MS };
      this.failed = null;
      return metadata;
    } catch (failure) {
      const error = new IdentityProviderUnavailable(withoutData(failure));
      this.failed = { error, until: this.clock.now().getTime() + PAUSE_AFTER_FAILURE_MS };
      return this.staleOr(error);
    }
  }

  private staleOr(error: IdentityProviderUnavailable): ServerMetadata {
    if (this.known) return this.known.metadata;
    throw error;
  }
}
