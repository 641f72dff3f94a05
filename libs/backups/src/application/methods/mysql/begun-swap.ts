import { fromHex } from './inventory-sql.js';

export const RESTORING = 'panel_restoring';
export const REPLACED = 'panel_replaced';

/** A schema that is there from before the first change until the last one: a swap between them is undone. */
const SWAP = 'panel_swap';
/** Far below the size of a statement that servers accept. */
const PIECE_BYTES = 500_000;

/** What it takes to undo a swap. */
export interface BegunSwap {
  /** The tables that take the place of the service's own. */
  readonly restored: readonly string[];
  /** Statements that make all of the service's own but the tables again. */
  readonly definitions: string;
}

/** Statements that keep it. It counts once all of it is there. */
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

/** Prints what was kept; nothing when no swap is under way. */
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

/** The swap counts from its first statement on. */
export const CLEARED = [SWAP, RESTORING, REPLACED].map((name) => `drop database if exists ${name};`).join(' ');

/** The connection that carries a swap out, if there is one. */
export const WHO_SWAPS = `select is_used_lock('${SWAP}');`;
/** Waits until its connection has ended. */
export const NOBODY_SWAPS = `select get_lock('${SWAP}', 60);`;
