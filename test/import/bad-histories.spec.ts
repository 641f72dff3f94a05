import { contractLine, eventLine, licenseLine, partnerLine, transferLine } from '../support/builders/import-lines.js';
import { FixedClock } from '../support/fixed-clock.js';
import { importProblems, type Line } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const NOW = '2025-06-15T12:00:00Z';

const transferred = (change: Line, license: Line = {}): Line[] => [
  licenseLine('l', license),
  transferLine('l', 'b', '2024-05-10', change),
];
const told = (event: string, at: string, license: Line = {}): Line[] => [
  licenseLine('l', license),
  eventLine('l', event, at),
];

describe('a history that no license can have', () => {
  let api: RunningPartnerApi;

  beforeAll(async () => {
    api = await startPartnerApi({ clock: new FixedClock(NOW) });
  });

  afterAll(() => api.close());

  const problemsOf = (lines: readonly Line[], dryRun = false) => importProblems(api.app, lines, dryRun);

  it('is reported in a dry run as well, with every problem', async () => {
    const lines = [partnerLine('x', { parentRef: 'nobody' }), ...transferred({ effectiveDate: '2024-03-04' })];
    expect(await problemsOf(lines, true)).toEqual([
      'line 7: parentRef refers to a partner that does not exist',
      'line 9: effectiveDate must not be before the day of issue',
    ]);
  });

  it.each<[string, Line[], string]>([
    [
      'to a customer of another partner',
      transferred({ toCustomerRef: 'a-customer' }),
      'toCustomerRef must belong to toPartnerRef',
    ],
    [
      'to a contract of another partner',
      transferred({ toContractRef: 'a-contract' }),
      'toContractRef must belong to toPartnerRef',
    ],
    [
      'to an unknown partner',
      transferred({ toPartnerRef: 'nobody' }),
      'toPartnerRef refers to a partner that does not exist',
    ],
    [
      'before the issue',
      transferred({ effectiveDate: '2024-03-04' }),
      'effectiveDate must not be before the day of issue',
    ],
    ['in the future', transferred({ effectiveDate: '2025-06-16' }), 'effectiveDate must not be in the future'],
    [
      'after the termination',
      transferred({}, { state: 'terminated', terminatedAt: '2024-05-09' }),
      'effectiveDate must not be after the termination of the license',
    ],
    [
      'recorded before it took effect',
      transferred({ createdAt: '2024-05-09' }),
      'createdAt must not be before effectiveDate',
    ],
    ['with a long reason', transferred({ reason: 'x'.repeat(1001) }), 'reason must have at most 1000 characters'],
    [
      'to its current owner',
      [licenseLine('l'), transferLine('l', 'a', '2024-05-10')],
      'toPartnerRef, toCustomerRef, toContractRef: The license has this partner, customer and contract already.',
    ],
  ])('a transfer %s', async (_what, lines, message) => {
    expect(await problemsOf(lines)).toEqual([`line 8: ${message}`]);
  });

  it('a transfer that takes effect before the previously recorded one', async () => {
    const back = transferLine('l', 'a', '2024-05-09');
    expect(await problemsOf([...transferred({}), back])).toEqual([
      "line 9: effectiveDate must not be before the license's last transfer",
    ]);
  });

  it.each<[string, Line[], string]>([
    [
      'of an unknown kind',
      told('license.sold', '2024-03-06'),
      'event must be one of license.issued, license.suspended, license.resumed, license.terminated, license.transferred_in, license.transferred_out, license.edition_changed, license.expired, license.trial_converted',
    ],
    ['in the future', told('license.suspended', '2025-06-16'), 'at must not be in the future'],
    [
      'that issues the license later',
      told('license.issued', '2024-03-06'),
      'at must not be after the issuedAt of the license',
    ],
    [
      'that terminates a live license',
      told('license.terminated', '2024-04-01'),
      'event license.terminated, but the license is not terminated',
    ],
    [
      'that terminates the license on another day',
      told('license.terminated', '2024-04-01', { state: 'terminated', terminatedAt: '2024-04-02' }),
      "at must be on the day of the license's terminatedAt",
    ],
  ])('an event %s', async (_what, lines, message) => {
    expect(await problemsOf(lines)).toEqual([`line 8: ${message}`]);
  });

  it('an issue that is reported twice', async () => {
    const lines = [...told('license.issued', '2024-03-05'), eventLine('l', 'license.issued', '2024-03-04')];
    expect(await problemsOf(lines)).toEqual(['line 9: event license.issued can happen only once to a license']);
  });

  it('an edition that the current contract does not cover', async () => {
    const narrow = contractLine('narrow', 'a', { editions: ['web-pro'] });
    expect(await problemsOf([narrow, licenseLine('l', { contractRef: 'narrow' })])).toEqual([
      'line 8: edition web-host is not covered by the contract',
    ]);
  });
});
