import { LicenseService, LicenseValidation } from '#libs/licensing';
import { startLocalLicenseService } from '../../support/licensing/license-service.js';
import { licenseServiceContract } from './license-service.contract.js';

describe('the local license service', () => {
  licenseServiceContract(async () => {
    const { app, close } = await startLocalLicenseService();
    const validation = app.get(LicenseValidation);
    return {
      service: app.get(LicenseService),
      knowsKey: async (key) => (await validation.validate(key.reveal())).code !== 'NOT_FOUND',
      close,
    };
  });
});
