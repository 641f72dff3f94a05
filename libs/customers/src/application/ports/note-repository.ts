import type { CustomerNote } from '../../domain/customer-note.js';

export abstract class NoteRepository {
  /** The database assigns the note's number. The caller has locked the customer. */
  abstract append(note: Omit<CustomerNote, 'id'>): Promise<CustomerNote>;
}
