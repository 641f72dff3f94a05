import { Injectable } from '@nestjs/common';
import type { ImportedLicense } from '../../../application/import/imported-license.js';
import { LicenseRecordImport } from '../../../application/import/ports/license-record-import.js';
import { KeptKeys } from '../../../application/ports/kept-keys.js';

/** Keygen has the records already, or gets them with their keys; the outbox tells it the owners afterwards. */
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
