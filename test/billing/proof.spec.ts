import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FixedClock } from '../support/fixed-clock.js';
import { Staff } from '../support/billing/closing.js';
import { downloads } from '../support/billing/downloads.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import { verifyStatement } from '../../apps/partner-api/public/verify-statement.mjs';

const VERIFIER = path.resolve(__dirname, '../../apps/partner-api/public/verify-statement.mjs');

describe('the proof of a statement', () => {
  const clock = new FixedClock('2026-01-01T00:00:00.000Z');
  let api: RunningPartnerApi;
  let world: LiveWorld;
  let files: { json: string; csv: string; proof: string };

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    world = await LiveWorld.begin(api.app, clock);
    const EUR = { currency: 'EUR', unitPriceCents: 901 } as const;
    await world.live({
      contracts: [
        { id: 'cA', partner: 'A', model: 'per_instance_metered', ...EUR },
        { id: 'cB', partner: 'B', model: 'per_instance_metered', ...EUR },
        { id: 'cF', partner: 'A', model: 'flat_capped', ...EUR, currency: 'USD', validFrom: '2026-06-10' },
        { id: 'cP', partner: 'A', model: 'prepaid_pack', ...EUR, packSize: 3 },
        { id: 'cT', partner: 'A', model: 'trial', ...EUR },
      ],
      licenses: [
        { id: 'stays', contract: 'cA', issuedAt: '2026-01-05', terminatedAt: null, transfers: [] },
        { id: 'ends', contract: 'cA', issuedAt: '2026-06-03T10:00:00Z', terminatedAt: '2026-06-17', transfers: [] },
        {
          id: 'comes back',
          contract: 'cB',
          issuedAt: '2026-02-01',
          terminatedAt: null,
          transfers: [
            { seq: 1, effectiveDate: '2026-06-05', toContract: 'cA' },
            { seq: 2, effectiveDate: '2026-06-12', toContract: 'cB' },
            { seq: 3, effectiveDate: '2026-06-20', toContract: 'cA' },
          ],
        },
        { id: 'in the pack', contract: 'cP', issuedAt: '2026-06-02', terminatedAt: null, transfers: [] },
        { id: 'on trial', contract: 'cT', issuedAt: '2026-06-02', terminatedAt: null, transfers: [] },
      ],
    });
    clock.set('2026-07-02T00:00:00.000Z');
    const staff = new Staff(api, clock);
    const run = await staff.finalize('2026-06', '--review', '--partner', world.partner('A').id);
    files = await downloads(api.as(world.partner('A').readToken), run.json.finalized[0].id);
  });

  afterAll(() => api.close());

  it('is accepted by the verifier that the API serves, which rejects a forged proof', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-verifier-'));
    try {
      const { status, text, headers } = await api.as(null).get('/v1/statements/verifier.mjs');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      // The verifier imports only Node's own modules.
      expect([...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name)).toEqual(['node:crypto', 'node:fs']);
      writeFileSync(path.join(folder, 'verifier.mjs'), text);
      writeFileSync(path.join(folder, 'statement.json'), files.json);
      writeFileSync(path.join(folder, 'proof.json'), files.proof);
      const run = await node(['verifier.mjs', 'statement.json', 'proof.json'], folder);
      expect(run).toEqual({ code: 0, out: 'Every cent and every hash agrees.\n', err: '' });
      const forgery = files.proof.replace(/[0-9a-f]{64}/, (hash) => (hash.startsWith('0') ? '1' : '0') + hash.slice(1));
      expect(forgery).not.toBe(files.proof);
      writeFileSync(path.join(folder, 'proof.json'), forgery);
      const forged = await node(['verifier.mjs', 'statement.json', 'proof.json'], folder);
      expect([forged.code, forged.out]).toEqual([1, 'Not proven.\n']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('agrees with the statement, in a process that has only the files', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-proof-'));
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
      const run = await node([VERIFIER, 'json', 'proof', 'csv'], folder);
      expect(run).toEqual({ code: 0, out: 'Every cent and every hash agrees.\n', err: '' });
      writeFileSync(path.join(folder, 'json'), files.json.replace('"days":15,', '"days":16,'));
      const forged = await node([VERIFIER, 'json', 'proof'], folder);
      expect([forged.code, forged.out]).toEqual([1, 'Not proven.\n']);
      expect(forged.err).toMatch(/^statement\.lines\[\d\]\.detail\[\d\]\.days: is 16, must be 15\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('does not show events from while the license belonged to somebody else', () => {
    const { lines } = JSON.parse(files.proof) as { lines: { parts: { licenseId: string; ledger: object[] }[] }[] };
    const part = lines.flatMap(({ parts }) => parts).find(({ licenseId }) => licenseId === world.license('comes back'));
    // The issue and the transfer out belong to the other partner, so only their links are shown.
    expect(Object.keys(part!.ledger[0]!)).toEqual(['position', 'previousHash', 'hash']);
    expect(part!.ledger.filter((link) => 'event' in link)).toHaveLength(3);
    expect(files.proof).not.toContain(world.contract('cB').customerId);
  });

  describe.each(['json', 'proof', 'csv'] as const)('with one character of the %s changed', (file) => {
    it('fails, and names the place', () => {
      const text = files[file];
      const digits = [...text.matchAll(/[0-9a-f]/g)].map(({ index }) => index);
      // A sample that hits every field many times; all positions would take minutes.
      const chosen = digits.filter((_, at) => at % Math.ceil(digits.length / 1_500) === 0);
      const accepted = chosen.filter((index) => {
        const changed = text[index] === '1' ? '2' : '1';
        const forged = { ...files, [file]: text.slice(0, index) + changed + text.slice(index + 1) };
        return verifyStatement(forged.json, forged.proof, forged.csv).length === 0;
      });
      expect(accepted.map((index) => text.slice(index - 30, index + 10))).toEqual([]);
      expect(chosen.length).toBeGreaterThan(300);
    });
  });

  it.each([
    ['json', /"id":"(.)/, 'statement.id'],
    ['json', /"revision":(.)/, 'statement.revision'],
    ['json', /"computedAt":"(.)/, 'statement.computedAt'],
    ['json', /"finalizedBy":"(.)/, 'statement.finalizedBy'],
    ['json', /"amountCents":(.)/, 'statement.totals[0].amountCents'],
    ['json', /"keyMasked":"…(.)/, '.keyMasked'],
    ['json', /"unitPriceCents":(.)/, '.unitPriceCents'],
    ['json', /"drawn":(.)/, '.pack'],
    ['proof', /"exact":"(.)/, 'exact in the proof'],
    ['proof', /"billedDays":(.)/, 'billedDays in the proof'],
    ['proof', /"previousHash":"(.)/, '.previousHash'],
    ['proof', /"effectiveDate":"(.)/, '.hash'],
    ['proof', /"eventIds":\[(.)/, 'eventIds in the proof'],
    ['proof', /"figuresHash":"(.)/, 'proof.figuresHash'],
    ['proof', /"validFrom":"(.)/, 'proof.sha256'],
    ['csv', /,30,1,90(.)/, 'csv row'],
  ] as const)('names the place of a change in the %s at %s', (file, pattern, place) => {
    const match = pattern.exec(files[file])!;
    const index = match.index + match[0].length - 1;
    const changed = match[1] === '7' ? '8' : '7';
    const forged = { ...files, [file]: files[file].slice(0, index) + changed + files[file].slice(index + 1) };
    const problems = verifyStatement(forged.json, forged.proof, forged.csv);
    expect(problems.some((problem) => problem.split(':')[0]!.includes(place))).toBe(true);
  });

  it.each([
    ['no JSON', 'x', null],
    ['another document', '{}', null],
    ['a list', '[]', null],
  ])('is refused for %s', (_what, json) => {
    expect(verifyStatement(json, files.proof)).not.toEqual([]);
    expect(verifyStatement(files.json, json)).not.toEqual([]);
  });
});

function node(args: readonly string[], cwd: string): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd, env: {} }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}
