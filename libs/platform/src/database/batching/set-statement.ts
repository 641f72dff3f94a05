import type { QueryResultRow } from 'pg';
import type { NamedStatement } from './named-statement.js';

/**
 * A statement that answers many questions at once: its parameters are arrays, an element for each question, and each
 * row of its answer says in `place` whose it is, counted from 1. A question may have no row, or several.
 */
export interface SetStatement<Q> extends NamedStatement {
  values(questions: readonly Q[]): unknown[];
}

/** What a question says: its columns by their names, each with its type in PostgreSQL and its value. */
export type Columns<Q> = Readonly<Record<string, readonly [type: string, value: (question: Q) => unknown]>>;

/** A statement's parameters, an array for each column. */
export function arraysOf<Q>(columns: Columns<Q>): (questions: readonly Q[]) => unknown[] {
  const values = Object.values(columns).map(([, value]) => value);
  return (questions) => values.map((value) => questions.map(value));
}

export const namesOf = (columns: Columns<never>): string => Object.keys(columns).join(', ');

/**
 * What is asked, as a relation: a row for each question with its columns and its `place`.
 *
 * Only the first array is unnested, the others are looked up at its places: PostgreSQL keeps what each function in a FROM
 * gives in a store of its own, also those of an `unnest` of many.
 * @param first the number of the first parameter
 */
export function relationOf(columns: Columns<never>, first = 1): string {
  const [[head, [headType]], ...others] = Object.entries(columns) as [[string, Column], ...[string, Column][]];
  const lookedUp = others.map(([name, [type]], index) => `($${first + 1 + index}::${type}[])[place] as ${name}`);
  return `(select ${[head, ...lookedUp, 'place'].join(', ')}
    from unnest($${first}::${headType}[]) with ordinality as elements (${head}, place))`;
}

type Column = Columns<never>[string];

/**
 * A condition that makes a statement fail, with all that it wrote, unless a part of it (`with name as ...`) has a row for
 * each element of a parameter. `isIncomplete` knows the error.
 */
export const requireAllRows = (part: string, parameter: string): string =>
  `platform.all_of((select count(*) from ${part}), cardinality(${parameter}))`;

/** The rows of each question, in the order of the questions. */
export function rowsByPlace<R extends QueryResultRow>(rows: readonly QueryResultRow[], questions: number): R[][] {
  const answers: R[][] = Array.from({ length: questions }, () => []);
  for (const { place, ...row } of rows) answers[Number(place) - 1]?.push(row as R);
  return answers;
}
