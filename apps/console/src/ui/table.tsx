import type { ReactNode } from 'react';
import { classes } from './classes';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out below 640 pixels, where only the most important columns fit. */
  readonly wide?: boolean;
  /** Left out below 1280 pixels. */
  readonly widest?: boolean;
  /** Takes the room that the others leave. */
  readonly grows?: boolean;
  /** The heading is for screen readers alone: what is in the column says enough. */
  readonly quiet?: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Without a frame of its own, for a table that fills a card. */
  readonly plain?: boolean;
}

const place = <Row,>({ wide, widest, grows }: Column<Row>) =>
  classes(
    'px-4 py-2.5 text-left align-middle',
    wide && 'hidden sm:table-cell',
    widest && 'hidden xl:table-cell',
    grows && 'w-full',
  );

export function Table<Row>({ caption, columns, rows, keyOf, plain = false }: Props<Row>) {
  return (
    <div
      // Hidden headings are placed by their nearest positioned ancestor, and must not widen the page.
      className={classes('relative overflow-x-auto', !plain && 'border-line bg-panel rounded-lg border')}
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line text-quiet border-b text-xs">
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classes(place(column), 'font-medium whitespace-nowrap')}>
                {column.quiet ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="hover:bg-raised/50">
              {columns.map((column) => (
                <td key={column.title} className={place(column)}>
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
