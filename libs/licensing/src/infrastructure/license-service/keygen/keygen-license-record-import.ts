import { Injectable } from '@nestjs/common';
import type { ImportedLicense } from '../../../application/import/imported-license.js';
import { LicenseRecordImport } from '../../../application/import/ports/license-record-import.js';
import { KeptKeys } from '../../../application/ports/kept-keys.js';

/**
 * Keygen already has the records, or gets them later with their stored keys. The outbox sends it the owners afterwards.
 */
@Injectable()
export class KeygenLicenseRecordImport extends LicenseRecordImport {
  readonly elsewhere = true;

  constructor(private readonly keys: KeptKeys) {
    super();
  }

  insert(licenses: readonly ImportedLicense[]): Promise<void> {
    return this.keys.insert(
      licenses.flatMap(({ record, sealedKey: sealed }) => (sealed ? [{ licenseId: record.id, sealed }] : [])),
    );
  }
}
