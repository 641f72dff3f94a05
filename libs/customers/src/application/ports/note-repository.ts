import type { CustomerNote } from '../../domain/customer-note.js';

export abstract class NoteRepository {
  /** The database numbers the note. The caller holds the customer. */
  abstract append(note: Omit<CustomerNote, 'id'>): Promise<CustomerNote>;
}
