import type { QueryResultRow } from 'pg';
import { LOCK_TREE_FOR_SHARE } from '#libs/partners';
import type { NamedStatement } from '#platform/database/batching/named-statement';
import {
  arraysOf,
  relationOf,
  requireAllRows,
  rowsByPlace,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import type { ChangedFacts, LicenseWrite, WritePart, WrittenRow } from './license-write.js';

const CHANGED: Columns<ChangedFacts> = { day: ['date', ({ from }) => from.toString()] };

/**
 * Fails if the month of one of the days has ended, or may end during this transaction, by the database's clock. Such a
 * month may be finalized, so its write must run by itself and flag the statement.
 */
const IN_RUNNING_MONTHS: SetStatement<ChangedFacts> = {
  name: 'facts-in-running-months',
  text: `
  with running as (
    select 1 from ${relationOf(CHANGED)} as asked
     where (date_trunc('month', asked.day::timestamp) + interval '1 month') at time zone 'UTC'
             > clock_timestamp() + interval '2 minutes')
  select 1 where not ${requireAllRows('running', '$1')}`,
  values: arraysOf(CHANGED),
};

interface Sent {
  readonly statement: NamedStatement;
  readonly values: readonly unknown[];
}

/** Turns writes into set statements, each sent once: first the conditional writes, then the calls that join them. */
export class WriteSet {
  /** The statements of the parts, with the writes they belong to. */
  private readonly groups: readonly (readonly { readonly write: number; readonly part: WritePart }[])[];

  constructor(private readonly writes: readonly LicenseWrite[]) {
    const byStatement = new Map<string, { readonly write: number; readonly part: WritePart }[]>();
    for (const [write, { parts }] of writes.entries()) {
      for (const [order, part] of parts.entries()) {
        const name = `${order} ${part.statement.name}`;
        const group = byStatement.get(name) ?? [];
        byStatement.set(name, [...group, { write, part }]);
      }
    }
    this.groups = [...byStatement.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  }

  statements(): Sent[] {
    const facts = this.writes.flatMap((write) => (write.facts ? [write.facts] : []));
    return [
      ...(this.writes.some(({ locksTree }) => locksTree) ? [{ statement: LOCK_TREE_FOR_SHARE, values: [] }] : []),
      ...(facts.length > 0 ? [{ statement: IN_RUNNING_MONTHS, values: IN_RUNNING_MONTHS.values(facts) }] : []),
      ...this.groups.map((group) => {
        const { statement } = group[0]!.part;
        return { statement, values: statement.values(group.map(({ part }) => part.question)) };
      }),
    ];
  }

  /** @param answers the rows of the statements, in order */
  firstRows(answers: readonly (readonly QueryResultRow[])[]): WrittenRow[] {
    const rows: WrittenRow[] = [];
    const ofGroups = answers.slice(answers.length - this.groups.length);
    for (const [index, group] of this.groups.entries()) {
      const byPlace = rowsByPlace<WrittenRow>(ofGroups[index] ?? [], group.length);
      for (const [place, { write, part }] of group.entries()) {
        if (this.writes[write]?.parts[0] === part) rows[write] = byPlace[place]?.[0] ?? {};
      }
    }
    return rows;
  }
}
