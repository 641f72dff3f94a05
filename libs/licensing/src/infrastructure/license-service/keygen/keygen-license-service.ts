import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  LicenseService,
  type LicenseMetadata,
  type LicenseOrder,
  type UpstreamLicense,
} from '../../../application/ports/license-service.js';
import type { KeygenAnswer, KeygenCall, KeygenConnection } from './keygen-connection.js';
import {
  attributeChange,
  expiryText,
  hasCode,
  isAboutSuspension,
  keyOf,
  licenseOf,
  metadataObject,
  newLicense,
  policyLinkage,
  reasonsOf,
  type KeygenLicense,
} from './keygen-documents.js';
import { keygenRefusal, keygenUnavailable, OutcomeUnknown } from './keygen-errors.js';
import { oneAtATime } from './one-at-a-time.js';
import { settle } from './settle.js';

/** Attempts of a read, which may be repeated because it changes nothing. */
const READS = 2;

const perLicense = oneAtATime();

/**
 * The license service of Keygen, through its HTTP API 1.8. Every response about a license contains its key, which is
 * read only to return it from `issue`.
 */
export class KeygenLicenseService extends LicenseService {
  private readonly editionOf: ReadonlyMap<string, string>;

  /**
   * @param policies the Keygen policy of each edition; they must not set a duration, or Keygen sets an expiry on every
   * license
   */
  constructor(
    private readonly connection: KeygenConnection,
    private readonly policies: ReadonlyMap<string, Uuid>,
  ) {
    super();
    this.editionOf = new Map([...policies].map(([edition, policyId]) => [policyId, edition]));
  }

  /**
   * A repeat returns the first key: the id was chosen by us, so Keygen reports a conflict, and the existing record is
   * read.
   */
  async issue(order: LicenseOrder): Promise<SecretText> {
    const id = order.upstreamLicenseId;
    const body = newLicense(order, this.policyOf(order.edition));
    return this.within((deadline) =>
      settle(
        `issue of ${id}`,
        async () => {
          const answer = await this.connection.call({ method: 'POST', path: 'licenses', body }, deadline);
          if (answer.status === 201) return keyOf(answer, id);
          if (hasCode(answer, 'ID_CONFLICT')) return null;
          throw unexpected(`issue of ${id}`, answer);
        },
        async () => {
          const found = await this.read(id, deadline);
          return found && keyOf(found, id);
        },
      ),
    );
  }

  suspend(id: Uuid): Promise<void> {
    return this.change(id, (license) => license.suspended, {
      method: 'POST',
      path: `licenses/${id}/actions/suspend`,
    });
  }

  reinstate(id: Uuid): Promise<void> {
    return this.change(id, (license) => !license.suspended, {
      method: 'POST',
      path: `licenses/${id}/actions/reinstate`,
    });
  }

  async revoke(id: Uuid): Promise<void> {
    const call: KeygenCall = { method: 'DELETE', path: `licenses/${id}/actions/revoke` };
    await this.within((deadline) =>
      settle(
        `revocation of ${id}`,
        async () => {
          const answer = await this.connection.call(call, deadline);
          if (answer.status === 204 || answer.status === 404) return true;
          throw unexpected(`revocation of ${id}`, answer);
        },
        async () => ((await this.read(id, deadline)) ? null : true),
      ),
    );
  }

  changeEdition(id: Uuid, edition: string): Promise<void> {
    const policyId = this.policyOf(edition);
    const body = policyLinkage(policyId);
    return this.change(id, (license) => license.policyId === policyId, {
      method: 'PUT',
      path: `licenses/${id}/policy`,
      body,
    });
  }

  changeExpiry(id: Uuid, expiresAt: Date | null): Promise<void> {
    const body = attributeChange(id, { expiry: expiryText(expiresAt) });
    const reached = (license: KeygenLicense) => license.expiresAt?.getTime() === expiresAt?.getTime();
    return this.change(id, reached, { method: 'PATCH', path: `licenses/${id}`, body });
  }

  /**
   * Keygen has no conditional write, so the stored sequence is read first. Within this process the documents of one
   * license take turns; across processes the caller's lock on the license separates them.
   */
  syncMetadata(id: Uuid, metadata: LicenseMetadata): Promise<void> {
    const body = attributeChange(id, { metadata: metadataObject(metadata) });
    const reached = (license: KeygenLicense) => license.sequence !== null && license.sequence >= metadata.sequence;
    return perLicense(id, () =>
      this.within(async (deadline) => {
        const stored = await this.read(id, deadline);
        if (stored && (licenseOf(stored).sequence ?? -1) > metadata.sequence) return;
        await this.bring(id, reached, { method: 'PATCH', path: `licenses/${id}`, body }, deadline);
      }),
    );
  }

  find(id: Uuid): Promise<UpstreamLicense | null> {
    return this.within(async (deadline) => {
      const answer = await this.read(id, deadline);
      if (!answer) return null;
      const { policyId, suspended, expiresAt, sequence } = licenseOf(answer);
      const edition = this.editionOf.get(policyId) ?? null;
      return { upstreamLicenseId: id, edition, suspended, expiresAt, sequence };
    });
  }

  private change(id: Uuid, reached: (license: KeygenLicense) => boolean, call: KeygenCall): Promise<void> {
    return this.within((deadline) => this.bring(id, reached, call, deadline));
  }

  /** @param reached whether the record is already as the call intends */
  private async bring(
    id: Uuid,
    reached: (license: KeygenLicense) => boolean,
    call: KeygenCall,
    deadline: AbortSignal,
  ): Promise<void> {
    const what = `${call.method} ${call.path}`;
    await settle(
      what,
      async () => {
        const answer = await this.connection.call(call, deadline);
        if (answer.status === 200) return licenseOf(answer);
        // Keygen refuses a repeated suspension without an error code, so the record is read instead.
        if (answer.status === 422 && isAboutSuspension(answer)) return null;
        throw unexpected(what, answer);
      },
      async () => {
        const found = await this.read(id, deadline);
        if (!found) throw keygenRefusal(`${what}: there is no such record`);
        const license = licenseOf(found);
        return reached(license) ? license : null;
      },
    );
  }

  /** Null if there is no such record. */
  private async read(id: Uuid, deadline: AbortSignal): Promise<KeygenAnswer | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.connection.call({ method: 'GET', path: `licenses/${id}` }, deadline);
        if (answer.status === 404) return null;
        if (answer.status === 200 && licenseOf(answer).id === id) return answer;
        throw unexpected(`GET licenses/${id}`, answer);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown) || attempt === READS) throw error;
      }
    }
  }

  /** Runs an operation with its deadline. An outcome that is still unknown then becomes `Unavailable`. */
  private async within<T>(operation: (deadline: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await operation(this.connection.deadline());
    } catch (error) {
      if (error instanceof OutcomeUnknown) throw keygenUnavailable(error.message, error);
      throw error;
    }
  }

  private policyOf(edition: string): Uuid {
    const policyId = this.policies.get(edition);
    if (!policyId) throw keygenRefusal('EDITIONS names no policy for the edition');
    return policyId;
  }
}

/** An unexpected success may come from a proxy, so its outcome is unknown. A 4xx is a refusal. */
function unexpected(what: string, answer: KeygenAnswer): Error {
  if (answer.status < 300) return new OutcomeUnknown(`${what}: unexpected status ${answer.status}`);
  return keygenRefusal(`${what}: ${reasonsOf(answer)}`);
}
