import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { Clock } from '#kernel/time/clock';
import { NotFound } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { CustomerNote } from '../domain/customer-note.js';
import { CustomerRepository } from './ports/customer-repository.js';
import { NoteRepository } from './ports/note-repository.js';

@Injectable()
export class CustomerNotes {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly notes: NoteRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param author taken from the credentials, never from the request
   * @throws NotFound if the subtree has no such customer
   */
  append(subtree: PartnerSubtree, customerId: Uuid, author: string, body: string): Promise<CustomerNote> {
    return this.transactions.run(async () => {
      if (!(await this.customers.getForShare(subtree, customerId))) throw new NotFound();
      return this.notes.append({ customerId, author, body, at: this.clock.now() });
    });
  }
}
