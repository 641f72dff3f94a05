import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { NoteRepository } from '../application/ports/note-repository.js';
import type { CustomerNote } from '../domain/customer-note.js';
import { NoteRow, toNote } from './note.row.js';

@Injectable()
export class TypeOrmNoteRepository extends NoteRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async append(note: Omit<CustomerNote, 'id'>): Promise<CustomerNote> {
    const { identifiers } = await this.transactions.writer.insert(NoteRow, note);
    return toNote({ ...note, id: (identifiers[0] as { id: string }).id });
  }
}
