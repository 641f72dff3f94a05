import type { QueryResultRow } from 'pg';
import type { NamedStatement } from './named-statement.js';

/**
 * A statement that answers many questions at once. Its parameters are arrays with one element for each question. Each
 * row of the result has a `place`, the number of its question counted from 1. A question may have no rows or several.
 */
export interface SetStatement<Q> extends NamedStatement {
  values(questions: readonly Q[]): unknown[];
}

/** The columns of a question by name, each with its PostgreSQL type and its value. */
export type Columns<Q> = Readonly<Record<string, readonly [type: string, value: (question: Q) => unknown]>>;

/** The parameters of a statement, one array for each column. */
export function arraysOf<Q>(columns: Columns<Q>): (questions: readonly Q[]) => unknown[] {
  const values = Object.values(columns).map(([, value]) => value);
  return (questions) => values.map((value) => questions.map(value));
}

export const namesOf = (columns: Columns<never>): string => Object.keys(columns).join(', ');

/**
 * The questions as a relation: one row for each question, with its columns and its `place`. Only the first array is
 * unnested; the others are accessed by position, because PostgreSQL materialises the result of each function in FROM.
 * @param first number of the first parameter
 */
export function relationOf(columns: Columns<never>, first = 1): string {
  const [[head, [headType]], ...others] = Object.entries(columns) as [[string, Column], ...[string, Column][]];
  const lookedUp = others.map(([name, [type]], index) => `($${first + 1 + index}::${type}[])[place] as ${name}`);
  return `(select ${[head, ...lookedUp, 'place'].join(', ')}
    from unnest($${first}::${headType}[]) with ordinality as elements (${head}, place))`;
}

type Column = Columns<never>[string];

/**
 * A condition that makes the whole statement fail unless a part of it (`with name as ...`) has one row for each element
 * of a parameter. `isIncomplete` detects the error.
 */
export const requireAllRows = (part: string, parameter: string): string =>
  `platform.all_of((select count(*) from ${part}), cardinality(${parameter}))`;

/** Groups the rows by question, in the order of the questions. */
export function rowsByPlace<R extends QueryResultRow>(rows: readonly QueryResultRow[], questions: number): R[][] {
  const answers: R[][] = Array.from({ length: questions }, () => []);
  for (const { place, ...row } of rows) answers[Number(place) - 1]?.push(row as R);
  return answers;
}
