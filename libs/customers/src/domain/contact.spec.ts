import { changedContactDetails, hasName, newContactDetails } from './contact.js';

const ADA = newContactDetails({ firstName: 'Ada', phone: '1', isPrimary: true });

describe('the details of a contact', () => {
  it('are empty where nothing is given, and the contact is not primary', () => {
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
    'need a first or a last name, which %j has not',
    (input) => {
      expect(() => newContactDetails(input)).toThrow('firstName and lastName must not both be empty');
    },
  );

  it('name both fields when neither name is given', () => {
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

  it('keep what a change does not give, and lose what it empties', () => {
    expect(changedContactDetails(ADA, { phone: '', isPrimary: false })).toEqual({
      ...ADA,
      phone: '',
      isPrimary: false,
    });
    expect(changedContactDetails(ADA, {})).toEqual(ADA);
  });

  it('may swap one name for the other but not lose the last one', () => {
    expect(changedContactDetails(ADA, { firstName: '', lastName: 'L' })).toMatchObject({
      firstName: '',
      lastName: 'L',
    });
    expect(() => changedContactDetails(ADA, { firstName: '' })).toThrow('firstName and lastName');
  });

  it('take nothing that is no detail', () => {
    const extra = { lastName: 'L', id: 'x', humanId: 'P-1', author: 'me' };
    expect(newContactDetails(extra)).toEqual(newContactDetails({ lastName: 'L' }));
  });

  it.each([
    [{ firstName: 'A' }, true],
    [{ lastName: 'B' }, true],
    [{ firstName: '', lastName: ' x ' }, true],
    [{ firstName: '\u00a0' }, false],
    [{}, false],
  ])('of %j name somebody: %s', (input, named) => {
    expect(hasName(input)).toBe(named);
  });
});
