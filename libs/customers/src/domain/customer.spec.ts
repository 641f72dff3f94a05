import { customerChanges, newCustomerDetails } from './customer.js';

describe('the details of a customer', () => {
  it('default to empty, with the status active', () => {
    const { name, status, ...texts } = newCustomerDetails({ name: 'Fabrikam' });
    expect([name, status]).toEqual(['Fabrikam', 'active']);
    expect(Object.keys(texts)).toHaveLength(17);
    expect(new Set(Object.values(texts))).toEqual(new Set(['']));
  });

  it('keep given values, and treat undefined as omitted', () => {
    const given = { name: 'F', status: 'prospect', vatId: undefined, phone: '1' } as const;
    expect(newCustomerDetails(given)).toMatchObject({ name: 'F', status: 'prospect', vatId: '', phone: '1' });
  });

  it('ignore unknown fields', () => {
    const extra = { name: 'F', id: 'x', humanId: 'C-1', partnerId: 'y', notes: 'z', createdAt: 'now' };
    expect(customerChanges(extra)).toEqual({ name: 'F' });
    expect(newCustomerDetails(extra)).toEqual(newCustomerDetails({ name: 'F' }));
  });

  it('change only given fields, including those given as empty', () => {
    expect(customerChanges({ website: '', status: undefined })).toEqual({ website: '' });
  });
});
