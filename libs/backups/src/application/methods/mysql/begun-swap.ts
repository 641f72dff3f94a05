import { fromHex } from './mysql-tools.js';

export const RESTORING = 'panel_restoring';
export const REPLACED = 'panel_replaced';

/**
 * A schema that exists from before the first change of a swap until after the last one. While it exists, the swap is
 * undone.
 */
const SWAP = 'panel_swap';
/** Well below the maximum size of a statement. */
const PIECE_BYTES = 500_000;

/** What is needed to undo a swap. */
export interface BegunSwap {
  /** Names of the restored tables, which replace those of the service. */
  readonly restored: readonly string[];
  /** Statements that create everything in the service's schema again except its tables. */
  readonly definitions: string;
}

/** Statements that store it in the server. The final `rename table` makes it valid in one step. */
export function begun(restored: readonly string[], definitions: string): string {
  const all = Buffer.from(definitions);
  const pieces: Buffer[] = [];
  for (let at = 0; at < all.length; at += PIECE_BYTES) pieces.push(all.subarray(at, at + PIECE_BYTES));
  return [
    `select get_lock('${SWAP}', 0);`,
    `create database ${SWAP};`,
    `create table ${SWAP}.unfinished (n int auto_increment primary key, kind char(1), body longblob) engine=InnoDB;`,
    ...restored.map((name) => kept('t', Buffer.from(name))),
    ...pieces.map((piece) => kept('d', piece)),
    `rename table ${SWAP}.unfinished to ${SWAP}.parts;`,
  ].join('\n');
}

const kept = (kind: string, body: Buffer): string =>
  `insert into ${SWAP}.unfinished (kind, body) values ('${kind}', x'${body.toString('hex')}');`;

/** Prints what `begun` has stored; nothing when no swap is in progress. */
export const BEGUN = `select table_name into @found from information_schema.tables
    where table_schema = '${SWAP}' and table_name = 'parts';
  set @sql = if(@found is null, 'do 0', 'select kind, hex(body) from ${SWAP}.parts order by n');
  prepare parts from @sql; execute parts;`;

export function parseBegun(printed: string): BegunSwap | null {
  const lines = printed.split('\n').filter(Boolean);
  if (lines.length === 0) return null;
  const parts = lines.map((line) => line.split('\t'));
  const of = (wanted: string) => parts.filter(([kind]) => kind === wanted).map(([, body = '']) => body);
  return { restored: of('t').map(fromHex), definitions: fromHex(of('d').join('')) };
}

/** Removes the swap and its leftovers. From the first statement on, the swap can no longer be undone. */
export const CLEARED = [SWAP, RESTORING, REPLACED].map((name) => `drop database if exists ${name};`).join(' ');

/** Prints the id of the connection that carries out a swap, if there is one. */
export const WHO_SWAPS = `select is_used_lock('${SWAP}');`;
/** Waits up to 60 seconds for that connection to end, and prints 1 when it has. */
export const NOBODY_SWAPS = `select get_lock('${SWAP}', 60);`;
