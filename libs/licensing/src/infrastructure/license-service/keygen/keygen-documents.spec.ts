import { inspect } from 'node:util';
import type { Uuid } from '#kernel/crypto/uuid';
import { keyOf, licenseOf, reasonsOf } from './keygen-documents.js';
import { OutcomeUnknown } from './keygen-errors.js';

const ID = '9f3a2c44-8d0e-4e1c-9b9f-0a5f0d3d7c21' as Uuid;
const KEY = 'C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3';

function answer(attributes: object = {}, status = 200) {
  const license = { key: KEY, expiry: null, suspended: false, metadata: { sequence: 3 }, ...attributes };
  const relationships = { policy: { data: { type: 'policies', id: 'policy-1' } } };
  return { status, json: { data: { type: 'licenses', id: ID, attributes: license, relationships } } };
}

describe("Keygen's license", () => {
  it('is read without its key', () => {
    const license = licenseOf(answer({ expiry: '2027-12-31T23:59:59.000Z' }));
    expect(license).toEqual({
      id: ID,
      policyId: 'policy-1',
      suspended: false,
      expiresAt: new Date('2027-12-31T23:59:59.000Z'),
      sequence: 3,
    });
    expect(inspect(license)).not.toContain(KEY);
  });

  it.each([
    ['null', null],
    ['absent', undefined],
    ['of somebody else', { sequence: 'three' }],
  ])('has no sequence if its metadata are %s', (_what, metadata) => {
    expect(licenseOf(answer({ metadata })).sequence).toBeNull();
  });

  it.each([
    ['an expiry that is not a timestamp', { expiry: 'tomorrow' }],
    ['no suspension', { suspended: undefined }],
    ['no key', { key: '' }],
  ])('with %s makes the outcome unknown and is not quoted in the error', (_what, attributes) => {
    let thrown: unknown;
    try {
      licenseOf(answer(attributes));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(OutcomeUnknown);
    expect(inspect(thrown)).not.toContain(KEY);
  });

  it('gives its key only if it is the requested license', () => {
    expect(keyOf(answer(), ID).reveal()).toBe(KEY);
    expect(() => keyOf(answer(), '00000000-0000-4000-8000-000000000000' as Uuid)).toThrow(OutcomeUnknown);
  });
});

describe("Keygen's refusal", () => {
  it('is logged with its codes and pointers, never with its messages', () => {
    const error = { code: 'ID_CONFLICT', detail: `conflicts with ${KEY}`, source: { pointer: '/data/id' } };
    expect(reasonsOf({ status: 422, json: { errors: [error, { detail: KEY }] } })).toBe('422 ID_CONFLICT /data/id');
  });

  it('is logged with its status if its codes are unusable', () => {
    expect(reasonsOf({ status: 404, json: null })).toBe('404');
    expect(reasonsOf({ status: 400, json: { errors: [{ code: `<b>${KEY}</b>` }] } })).toBe('400');
  });
});
