import { customerChanges, newCustomerDetails } from './customer.js';

describe('the details of a customer', () => {
  it('are empty where nothing is given, and the status is active', () => {
    const { name, status, ...texts } = newCustomerDetails({ name: 'Fabrikam' });
    expect([name, status]).toEqual(['Fabrikam', 'active']);
    expect(Object.keys(texts)).toHaveLength(17);
    expect(new Set(Object.values(texts))).toEqual(new Set(['']));
  });

  it('take what is given, and treat an undefined field as one that is not', () => {
    const given = { name: 'F', status: 'prospect', vatId: undefined, phone: '1' } as const;
    expect(newCustomerDetails(given)).toMatchObject({ name: 'F', status: 'prospect', vatId: '', phone: '1' });
  });

  it('take nothing that is no detail', () => {
    const extra = { name: 'F', id: 'x', humanId: 'C-1', partnerId: 'y', notes: 'z', createdAt: 'now' };
    expect(customerChanges(extra)).toEqual({ name: 'F' });
    expect(newCustomerDetails(extra)).toEqual(newCustomerDetails({ name: 'F' }));
  });

  it('change only where something is given, empty included', () => {
    expect(customerChanges({ website: '', status: undefined })).toEqual({ website: '' });
  });
});
