import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { KeygenConnection } from '../../../libs/licensing/src/infrastructure/license-service/keygen/keygen-connection.js';
import { KeygenLicenseService } from '../../../libs/licensing/src/infrastructure/license-service/keygen/keygen-license-service.js';
import { KeygenStub } from '../../support/licensing/keygen-stub.js';
import { licenseServiceContract, newId } from './license-service.contract.js';

describe('the license service of Keygen', () => {
  licenseServiceContract(async () => {
    const policies = new Map<string, Uuid>([
      ['power-user', newId()],
      ['web-host', newId()],
    ]);
    const stub = await new KeygenStub([...policies.values()]).start();
    const connection = new KeygenConnection({
      origin: stub.origin,
      accountId: stub.accountId,
      token: new SecretText(stub.token),
    });
    return {
      service: new KeygenLicenseService(connection, policies),
      knowsKey: (key) => Promise.resolve([...stub.licenses.values()].some((license) => license.key === key.reveal())),
      close: () => stub.stop(),
    };
  });
});
