import { randomUUID } from 'node:crypto';
import { SecretText } from '#kernel/crypto/secret-text';
import { KeygenLicenseService } from '../../libs/licensing/src/infrastructure/license-service/keygen/keygen-license-service.js';

const EDITIONS = ['power-user', 'web-host', 'web-pro', 'web-admin'];

Object.assign(process.env, {
  LICENSE_SERVICE: 'keygen',
  KEYGEN_HOST: 'http://127.0.0.1:1',
  KEYGEN_ACCOUNT_ID: 'bench',
  KEYGEN_TOKEN: 'bench',
  EDITIONS: EDITIONS.map((edition) => `${edition}=${randomUUID()}`).join(','),
});

/** The partner API with a Keygen that creates every key instantly, so that only our own work is measured. */
KeygenLicenseService.prototype.issue = () => Promise.resolve(new SecretText(randomUUID()));

await import('../../apps/partner-api/src/main.js');
