import type { QueryResultRow } from 'pg';
import type { NamedStatement } from './named-statement.js';

/**
 * A statement that answers many questions at once: its parameters are arrays, an element for each question, and each
 * row of its answer says in `place` whose it is, counted from 1. A question may have no row, or several.
 */
export interface SetStatement<Q> extends NamedStatement {
  values(questions: readonly Q[]): unknown[];
}

/** The arrays of a statement whose every parameter has one value for each question. */
export function columnsOf<Q>(...columns: ((question: Q) => unknown)[]): (questions: readonly Q[]) => unknown[] {
  return (questions) => columns.map((column) => questions.map(column));
}

/** A statement's parameters from `$first` on, each with its type. */
export function parameters(first: number, types: string): string {
  return types
    .split(',')
    .map((type, index) => `$${first + index}::${type.trim()}`)
    .join(', ');
}

/**
 * A condition that makes a statement fail, with all that it wrote, unless a part of it (`with name as ...`) has a row for
 * each element of a parameter. `isIncomplete` knows the error.
 */
export const allOf = (part: string, parameter: string): string =>
  `platform.all_of((select count(*) from ${part}), cardinality(${parameter}))`;

/** The rows of each question, in the order of the questions. */
export function rowsByPlace<R extends QueryResultRow>(rows: readonly QueryResultRow[], questions: number): R[][] {
  const answers: R[][] = Array.from({ length: questions }, () => []);
  for (const { place, ...row } of rows) answers[Number(place) - 1]?.push(row as R);
  return answers;
}

/** A statement that begins with `select` changes nothing but locks. */
export const writes = ({ text }: NamedStatement): boolean => !/^\s*select\b/i.test(text);
