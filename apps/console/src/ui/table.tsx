import type { ReactNode } from 'react';
import { classes } from './classes';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out below 640 pixels, where only the most important columns fit. */
  readonly wide?: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  const place = (wide?: boolean) => classes('px-3 py-2 text-left align-middle', wide && 'hidden sm:table-cell');
  return (
    <div
      className="border-line bg-panel overflow-x-auto rounded-lg border"
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line text-quiet border-b text-xs">
          <tr>
            {columns.map(({ title, wide }) => (
              <th key={title} scope="col" className={classes(place(wide), 'font-medium')}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="hover:bg-raised/50">
              {columns.map(({ title, cell, wide }) => (
                <td key={title} className={place(wide)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
