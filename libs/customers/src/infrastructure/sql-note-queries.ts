import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { HotReader } from '#platform/database/batching/hot-reader';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { NoteQueries } from '../application/customer-queries.js';
import type { CustomerNote } from '../domain/customer-note.js';
import { livingInSubtree } from './customer.row.js';
import { toNote, type NoteRow } from './note.row.js';

/** A row without a note distinguishes a customer without notes from a missing customer. */
const NEWEST = {
  name: 'newest-notes-of-customer',
  text: `select n.id, n.customer_id as "customerId", n.author, n.body, n.at
    from customers.customers c
    left join lateral (select * from customers.notes where customer_id = c.id order by at desc, id desc limit 50) n on true
    where c.id = $2 and ${livingInSubtree('$1')}
    order by n.at desc, n.id desc`,
};

@Injectable()
export class SqlNoteQueries extends NoteQueries {
  constructor(private readonly reader: HotReader) {
    super();
  }

  async newest(subtree: PartnerSubtree, customerId: Uuid): Promise<CustomerNote[]> {
    const rows = await this.reader.list<NoteRow | { id: null }>(NEWEST, [subtree.rootId, customerId]);
    if (rows.length === 0) throw new NotFound();
    return rows.flatMap((row) => (row.id === null ? [] : [toNote(row)]));
  }
}
