import { LicenseRecordImport } from '../../../application/import/ports/license-record-import.js';

/** Keygen has the records already; the outbox tells it afterwards whose they are. */
export class KeygenLicenseRecordImport extends LicenseRecordImport {
  readonly elsewhere = true;

  insert(): Promise<void> {
    return Promise.resolve();
  }
}
