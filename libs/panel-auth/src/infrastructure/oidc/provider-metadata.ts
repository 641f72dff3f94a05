import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client';
import { Clock } from '#kernel/clock';
import { IdentityProviderUnavailable } from '../../domain/panel-auth-errors.js';
import { boundedFetch } from './bounded-fetch.js';
import { withoutData } from './provider-failures.js';
import { ID_TOKEN_ALGORITHMS, isLoopbackHttp, type OidcSettings } from './oidc-settings.js';

const FRESH_MS = 60 * 60_000;
const PAUSE_AFTER_FAILURE_MS = 2_000;

/** What the provider publishes about itself, asked for when first needed and again every hour. */
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
   * A provider that is down is not asked again for two seconds, and what was known of it goes on being used.
   * @throws IdentityProviderUnavailable when nothing is known
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
      const metadata = await this.fetch();
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

  private async fetch(): Promise<ServerMetadata> {
    const { clientId } = this.settings;
    const issuer = new URL(this.settings.issuer);
    const config = await discovery(issuer, clientId, undefined, undefined, {
      [customFetch]: boundedFetch(AbortSignal.timeout(this.deadlineMs)),
      execute: isLoopbackHttp(issuer) ? [allowInsecureRequests] : [],
    });
    const metadata = JSON.parse(JSON.stringify(config.serverMetadata())) as ServerMetadata;
    // RFC 8414 and Discovery 1.0: RS256 where nothing is said.
    const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
    const accepted = offered.filter((algorithm) => ID_TOKEN_ALGORITHMS.includes(algorithm));
    if (accepted.length === 0) throw new Error('the provider signs ID tokens with no algorithm that is accepted here');
    return { ...metadata, id_token_signing_alg_values_supported: accepted };
  }
}
