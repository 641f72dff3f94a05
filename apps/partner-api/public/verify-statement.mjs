/**
 * Checks a statement without the service that made it, with nothing but Node:
 *
 *   node verifier.mjs statement.json proof.json [statement.csv]
 *
 * `statement.json` is GET /v1/statements/{id}/export?format=json, `proof.json` is GET /v1/statements/{id}/proof, each as
 * it was received. Computes every day from the ledger events, every cent from the days, every total from the cents, and
 * every hash: of the ledger chains, of the figures and of the files. Exit code 0 when all of it agrees, else 1 and a
 * line for each disagreement that says where it is.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const MS_PER_DAY = 86_400_000;
const MAX_PROBLEMS = 20;
const FLAT = ['flat_unlimited', 'flat_capped'];
const CSV_HEADER =
  'statementId,partnerId,periodStart,periodEnd,revision,contractId,model,currency,licenseId,keyMasked,days,quantity,' +
  'unitPriceCents,amountCents,packDrawn,packRemaining\r\n';

class Disagreements {
  problems = [];

  /** Records that two values that must be equal are not. */
  same(where, found, expected) {
    if (!equal(found, expected)) this.note(where, `is ${show(found)}, must be ${show(expected)}`);
  }

  note(where, text) {
    this.problems.push(`${where}: ${text}`);
  }
}

/** @returns {string[]} all differences, empty if there are none */
export function verifyStatement(statementText, proofText, csvText = null) {
  const check = new Disagreements();
  const statement = parse(check, 'statement', statementText);
  const proof = parse(check, 'proof', proofText);
  if (statement === null || proof === null) return check.problems;
  try {
    verifyHead(check, statement, proof);
    verifyLines(check, statement, proof);
    verifyTotals(check, statement);
    check.same('proof.figuresHash', proof.figuresHash, figuresHashOf(statement));
    check.same('proof.files.json', proof.files?.json, sha256(statementText));
    check.same('proof.files.csv', proof.files?.csv, sha256(csvOf(statement)));
    if (csvText !== null) verifyCsv(check, csvText, csvOf(statement));
    const { sha256: own } = proof;
    check.same('proof.sha256', own, sha256(proofText.slice(0, proofText.lastIndexOf(',"sha256":'))));
  } catch (error) {
    check.note('document', `is not a statement with its proof (${error.message})`);
  }
  return check.problems;
}

function verifyHead(check, statement, proof) {
  const { lines: _, ...head } = statement;
  const keys = new Set([...Object.keys(head), ...Object.keys(proof.statement)]);
  for (const key of keys) check.same(`statement.${key}`, head[key], proof.statement[key]);
  const [first, last] = [dayOf(statement.periodStart), dayOf(statement.periodEnd)];
  const [year, month] = statement.periodStart.split('-').map(Number);
  check.same('statement.periodStart', statement.periodStart.slice(8), '01');
  check.same('statement.periodEnd', last, Date.UTC(year, month, 0) / MS_PER_DAY);
  check.same('proof.daysInMonth', proof.daysInMonth, last - first + 1);
}

function verifyLines(check, statement, proof) {
  const window = { first: dayOf(statement.periodStart), last: dayOf(statement.periodEnd) };
  check.same('statement.lines', statement.lines.length, proof.lines.length);
  inOrder(check, 'statement.lines', statement.lines, 'contractId');
  statement.lines.forEach((line, index) => {
    const proven = proof.lines[index];
    if (!proven) return;
    const where = `statement.lines[${index}]`;
    for (const key of ['contractId', 'model', 'currency', 'quantity', 'unitPriceCents', 'amountCents']) {
      check.same(`${where}.${key}`, line[key], proven[key]);
    }
    if (line.model === 'per_instance_metered') verifyMetered(check, where, line, proven, window);
    else if (FLAT.includes(line.model)) verifyFlat(check, where, line, proven, window);
    else verifyCounts(check, where, line, proven);
  });
}

function verifyMetered(check, where, line, proven, window) {
  check.same(`${where}.detail`, line.detail.length, proven.parts.length);
  inOrder(check, `${where}.detail`, line.detail, 'licenseId');
  let [billedDays, amount] = [0n, 0n];
  line.detail.forEach((part, index) => {
    const evidence = proven.parts[index];
    if (!evidence) return;
    const at = `${where}.detail[${index}]`;
    for (const key of ['licenseId', 'keyMasked', 'days', 'amountCents'])
      check.same(`${at}.${key}`, part[key], evidence[key]);
    verifyChain(check, at, part.licenseId, evidence);
    check.same(`${at}.days`, part.days, daysOf(check, at, evidence, window));
    verifyAmount(check, at, part.amountCents, evidence.exact, line.unitPriceCents, part.days, window);
    billedDays += BigInt(part.days);
    amount += BigInt(part.amountCents);
  });
  check.same(`${where}.quantity`, line.quantity, line.detail.length);
  check.same(`${where}.amountCents`, BigInt(line.amountCents), amount);
  check.same(`${where} billedDays in the proof`, BigInt(proven.billedDays), billedDays);
  check.same(`${where} exact in the proof`, proven.exact, fraction(line.unitPriceCents, billedDays, window));
}

function verifyFlat(check, where, line, proven, window) {
  const from = Math.max(window.first, dayOf(proven.validFrom));
  const to = Math.min(window.last, proven.validTo === null ? Infinity : dayOf(proven.validTo));
  check.same(`${where}.quantity`, line.quantity, 1);
  check.same(`${where}.detail`, line.detail.length + proven.parts.length, 0);
  check.same(`${where} billedDays in the proof`, proven.billedDays, to - from + 1);
  verifyAmount(check, where, line.amountCents, proven.exact, line.unitPriceCents, proven.billedDays, window);
}

/** Packs, trials and licenses not for resale cost nothing. */
function verifyCounts(check, where, line, proven) {
  check.same(`${where}.amountCents`, line.amountCents, 0);
  check.same(`${where}.detail`, line.detail.length + proven.parts.length, 0);
  check.same(`${where} billedDays in the proof`, proven.billedDays, 0);
  check.same(`${where} exact in the proof`, proven.exact, '0/1');
  if (line.model !== 'prepaid_pack') return;
  const { size, drawn, remaining } = line.pack;
  check.same(`${where}.pack`, line.pack, proven.pack);
  check.same(`${where}.quantity`, line.quantity, drawn);
  check.same(`${where}.pack.remaining`, remaining, Math.max(0, size - drawn));
}

/** Price x days / days of the month, rounded once, halves up. */
function verifyAmount(check, where, cents, exact, price, days, window) {
  const daysInMonth = BigInt(window.last - window.first + 1);
  const rounded = (2n * BigInt(price) * BigInt(days) + daysInMonth) / (2n * daysInMonth);
  check.same(`${where}.amountCents`, BigInt(cents), rounded);
  check.same(`${where} exact in the proof`, exact, fraction(price, days, window));
}

/** Days within the month that the named events open and close. */
function daysOf(check, where, { eventIds, ledger }, window) {
  const entries = new Map(ledger.filter(({ id }) => id !== undefined).map((link) => [link.id, link]));
  if (entries.size !== eventIds.length)
    check.note(`${where} ledger in the proof`, 'shows other events than eventIds names');
  let [days, first] = [0, null];
  const close = (last) => {
    if (first === null) return;
    days += Math.max(0, Math.min(last, window.last) - Math.max(first, window.first) + 1);
    first = null;
  };
  for (const id of eventIds) {
    const entry = entries.get(id);
    if (!entry) check.note(`${where} eventIds in the proof`, `names ${id}, which is not in the ledger`);
    else if (entry.event === 'license.issued') first = dayOf(entry.at.slice(0, 10));
    else if (entry.event === 'license.transferred_in') first = dayOf(entry.data.effectiveDate);
    else if (entry.event === 'license.terminated') close(dayOf(entry.at.slice(0, 10)));
    else if (entry.event === 'license.transferred_out') close(dayOf(entry.data.effectiveDate) - 1);
    else check.note(`${where} eventIds in the proof`, `names ${id}, a ${entry.event}, which makes no days`);
  }
  close(window.last);
  return days;
}

/** From the first event of the license on, each contains the hash of the previous one. */
function verifyChain(check, where, licenseId, { ledger }) {
  let previousHash = '0'.repeat(64);
  ledger.forEach((link, index) => {
    const at = `${where} ledger[${index}] in the proof`;
    check.same(`${at}.position`, link.position, index + 1);
    check.same(`${at}.previousHash`, link.previousHash, previousHash);
    if (link.id !== undefined) check.same(`${at}.hash`, link.hash, eventHash(licenseId, link));
    previousHash = link.hash;
  });
  if (ledger.at(-1)?.id === undefined)
    check.note(`${where} ledger in the proof`, 'does not end with an event that made days');
}

function eventHash(licenseId, { previousHash, position, event, at, actor, customerId, data }) {
  const pairs = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([previousHash, licenseId, position, event, at, actor, customerId, pairs]));
}

function verifyTotals(check, { lines, totals }) {
  const sums = new Map();
  for (const { currency, amountCents } of lines) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amountCents));
  }
  const expected = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  check.same('statement.totals', totals.length, expected.length);
  expected.forEach(([currency, cents], index) => {
    check.same(`statement.totals[${index}].currency`, totals[index]?.currency, currency);
    check.same(`statement.totals[${index}].amountCents`, BigInt(totals[index]?.amountCents ?? 0), cents);
  });
}

function figuresHashOf({ partnerId, periodStart, lines, totals }) {
  const hash = createHash('sha256').update(`figures\t1\t${partnerId}\t${periodStart.slice(0, 7)}\n`);
  for (const { contractId, model, currency, quantity, unitPriceCents, amountCents, pack, detail } of lines) {
    for (const part of detail) {
      hash.update(`part\t${contractId}\t${part.licenseId}\t${part.days}\t${part.amountCents}\n`);
    }
    const counts = pack ? `\t${pack.size}\t${pack.drawn}\t${pack.drawnInPeriod}\t${pack.remaining}` : '';
    hash.update(
      `line\t${contractId}\t${model}\t${currency}\t${quantity}\t${unitPriceCents}\t${amountCents}${counts}\n`,
    );
  }
  for (const { currency, amountCents } of totals) hash.update(`total\t${currency}\t${amountCents}\n`);
  return hash.digest('hex');
}

/** The CSV export, generated from the JSON. */
function csvOf({ id, partnerId, periodStart, periodEnd, revision, lines }) {
  const rows = lines.map(({ contractId, model, currency, quantity, unitPriceCents, amountCents, pack, detail }) => {
    const start = `${id},${partnerId},${periodStart},${periodEnd},${revision},${contractId},${model},${currency}`;
    if (model === 'per_instance_metered') {
      return detail.map((part) => {
        const { licenseId, keyMasked, days, amountCents: cents } = part;
        return `${start},${licenseId},${csvCell(keyMasked)},${days},1,${unitPriceCents},${cents},,\r\n`;
      });
    }
    return `${start},,,,${quantity},${unitPriceCents},${amountCents},${pack?.drawn ?? ''},${pack?.remaining ?? ''}\r\n`;
  });
  return CSV_HEADER + rows.flat().join('');
}

function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function verifyCsv(check, found, expected) {
  const [a, b] = [found.split('\r\n'), expected.split('\r\n')];
  const row = b.findIndex((line, index) => line !== a[index]);
  if (row !== -1) check.same(`csv row ${row + 1}`, a[row], b[row]);
  else check.same('csv rows', a.length, b.length);
}

function inOrder(check, where, items, key) {
  const index = items.findIndex((item, at) => at > 0 && !(items[at - 1][key] < item[key]));
  if (index !== -1) check.note(`${where}[${index}].${key}`, 'is out of order');
}

/** The exact amount in cents as a reduced fraction. */
function fraction(price, days, window) {
  const [top, bottom] = [BigInt(price) * BigInt(days), BigInt(window.last - window.first + 1)];
  const divisor = greatestCommonDivisor(top, bottom);
  return `${top / divisor}/${bottom / divisor}`;
}

function greatestCommonDivisor(a, b) {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

/** Days since 1970-01-01. */
function dayOf(date) {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY : NaN;
  if (Number.isNaN(day)) throw new Error(`no date: ${date}`);
  return day;
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function parse(check, name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    check.note(name, `is not JSON (${error.message})`);
    return null;
  }
}

function equal(a, b) {
  return a === b || (typeof a === 'object' && typeof b === 'object' && show(a) === show(b));
}

function show(value) {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

if (process.argv[1] === import.meta.filename) {
  const files = process.argv.slice(2);
  if (files.length < 2 || files.length > 3) {
    process.stderr.write('usage: node verifier.mjs statement.json proof.json [statement.csv]\n');
    process.exit(2);
  }
  const problems = verifyStatement(...files.map((file) => readFileSync(file, 'utf8')));
  for (const problem of problems.slice(0, MAX_PROBLEMS)) process.stderr.write(`${problem}\n`);
  if (problems.length > MAX_PROBLEMS) process.stderr.write(`and ${problems.length - MAX_PROBLEMS} more\n`);
  process.stdout.write(problems.length === 0 ? 'Every cent and every hash agrees.\n' : 'Not proven.\n');
  process.exit(problems.length === 0 ? 0 : 1);
}
