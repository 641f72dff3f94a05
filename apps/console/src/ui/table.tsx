import type { ReactNode } from 'react';
import { classes } from './classes';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out below 640 pixels, where only the most important columns fit. */
  readonly wide?: boolean;
  /** Left out below 1280 pixels. */
  readonly widest?: boolean;
  /** Takes most of the room that the others leave. */
  readonly grows?: boolean;
  /** The heading is for screen readers alone: what is in the column says enough. */
  readonly quiet?: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Below 640 pixels each row is a block with its cells below each other, for rows with much in them. */
  readonly stacks?: boolean;
  /** Without a frame of its own, for a table that fills a card. */
  readonly plain?: boolean;
}

/** From which width on a column is there, and how its cells are laid out below it. */
function display<Row>({ wide, widest }: Column<Row>, stacks: boolean): string {
  if (widest) return 'hidden xl:table-cell';
  if (wide) return 'hidden sm:table-cell';
  return stacks ? 'block empty:hidden sm:table-cell' : '';
}

const place = <Row,>(column: Column<Row>, stacks: boolean) =>
  classes(
    'px-4 text-left align-middle',
    stacks ? 'py-1 sm:py-2.5' : 'py-2.5',
    display(column, stacks),
    column.grows && 'sm:w-2/5',
    column.quiet && 'sm:text-right',
  );

export function Table<Row>({ caption, columns, rows, keyOf, plain = false, stacks = false }: Props<Row>) {
  // A browser forgets that it is a table once its rows are blocks.
  const role = (name: string) => (stacks ? { role: name } : {});
  return (
    <div
      // Hidden headings are placed by their nearest positioned ancestor, and must not widen the page.
      className={classes('relative overflow-x-auto', !plain && 'border-line bg-panel rounded-lg border')}
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table className="w-full text-sm" {...role('table')}>
        <caption className="sr-only">{caption}</caption>
        <thead
          className={classes('border-line text-quiet border-b text-xs', stacks && 'sr-only sm:not-sr-only')}
          {...role('rowgroup')}
        >
          <tr {...role('row')}>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classes(place(column, stacks), 'font-medium whitespace-nowrap')}
                {...role('columnheader')}
              >
                {column.quiet ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes('divide-line divide-y', stacks && 'block sm:table-row-group')} {...role('rowgroup')}>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={classes('hover:bg-raised/50', stacks && 'block py-2 sm:table-row')}
              {...role('row')}
            >
              {columns.map((column) => (
                <td key={column.title} className={place(column, stacks)} {...role('cell')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
