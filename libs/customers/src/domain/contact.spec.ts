import { changedContactDetails, hasName, newContactDetails } from './contact.js';

const ADA = newContactDetails({ firstName: 'Ada', phone: '1', isPrimary: true });

describe('the details of a contact', () => {
  it('default to empty, and the contact is not primary', () => {
    expect(newContactDetails({ lastName: 'Lovelace' })).toEqual({
      firstName: '',
      lastName: 'Lovelace',
      title: '',
      email: '',
      phone: '',
      locale: '',
      notes: '',
      isPrimary: false,
    });
  });

  it.each([{}, { firstName: '' }, { firstName: ' ', lastName: '\t' }, { email: 'a@b.example' }])(
    'need a first or a last name, unlike %j',
    (input) => {
      expect(() => newContactDetails(input)).toThrow('firstName and lastName must not both be empty');
    },
  );

  it('report both fields if neither name is given', () => {
    expect.assertions(1);
    try {
      newContactDetails({});
    } catch (error) {
      expect(error).toMatchObject({
        kind: 'invalid',
        slug: 'validation',
        violations: [{ path: '/firstName' }, { path: '/lastName' }],
      });
    }
  });

  it('keep fields that a change omits, and clear those that it empties', () => {
    expect(changedContactDetails(ADA, { phone: '', isPrimary: false })).toEqual({
      ...ADA,
      phone: '',
      isPrimary: false,
    });
    expect(changedContactDetails(ADA, {})).toEqual(ADA);
  });

  it('may exchange one name for the other, but must keep one', () => {
    expect(changedContactDetails(ADA, { firstName: '', lastName: 'L' })).toMatchObject({
      firstName: '',
      lastName: 'L',
    });
    expect(() => changedContactDetails(ADA, { firstName: '' })).toThrow('firstName and lastName');
  });

  it('ignore unknown fields', () => {
    const extra = { lastName: 'L', id: 'x', humanId: 'P-1', author: 'me' };
    expect(newContactDetails(extra)).toEqual(newContactDetails({ lastName: 'L' }));
  });

  it.each([
    [{ firstName: 'A' }, true],
    [{ lastName: 'B' }, true],
    [{ firstName: '', lastName: ' x ' }, true],
    [{ firstName: '\u00a0' }, false],
    [{}, false],
  ])('have a name in %j: %s', (input, named) => {
    expect(hasName(input)).toBe(named);
  });
});
