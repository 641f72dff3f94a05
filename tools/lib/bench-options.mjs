import { parseArgs } from 'node:util';
import { Refusal } from './refusal.mjs';

export const BENCH_HELP = `npm run bench -- [rows] [options]

  rows               numbers of rows, such as 1 5 7; all when none is given
  --scale FACTOR     size of the data, 1 being 1,000,000 licenses (default 1)
  --seconds SECONDS  length of one measurement (default 3)
  --rounds ROUNDS    rounds of baseline and product (default 3)
  --backup-mb MB     size of the database in the rows about backups (default 160)
  --keep FOLDER      keep the database in this folder and use it again
  --json             print one JSON document in place of the table
  --list             name the rows and stop
`;

const OPTIONS = {
  scale: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '3' },
  'backup-mb': { type: 'string', default: '160' },
  keep: { type: 'string' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

/**
 * Parses the command line of the bench.
 * @throws Refusal naming what is wrong with it
 */
export function benchOptions(args) {
  const { values, positionals } = parse(args);
  for (const row of positionals)
    if (!/^\d+[a-z]?$/.test(row)) throw new Refusal(`${row} is not a row. Give numbers such as 1 5 7, or --list`);
  const { keep, json, list, help } = values;
  const scale = positive('scale', values.scale);
  const seconds = positive('seconds', values.seconds);
  const rounds = positive('rounds', values.rounds);
  const backupMb = positive('backup-mb', values['backup-mb']);
  return { rows: positionals, scale, seconds, rounds, backupMb, keep, json, list, help };
}

function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error.message}. See npm run bench -- --help`);
  }
}

function positive(name, text) {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Refusal(`--${name} ${text}: must be a number above 0`);
}
