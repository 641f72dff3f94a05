import { Module } from '@nestjs/common';
import { PartnersModule } from '#libs/partners';
import { Contacts } from './application/contacts.js';
import { CustomerDirectory } from './application/customer-directory.js';
import { CustomerImport } from './application/customer-import.js';
import { CustomerNotes } from './application/customer-notes.js';
import { ContactQueries, CustomerQueries, NoteQueries } from './application/customer-queries.js';
import { Customers } from './application/customers.js';
import { ContactRepository } from './application/ports/contact-repository.js';
import { CustomerListMarks } from './application/ports/customer-list-marks.js';
import { CustomerRepository } from './application/ports/customer-repository.js';
import { NoteRepository } from './application/ports/note-repository.js';
import { BatchedCustomerQueries } from './infrastructure/batched-customer-queries.js';
import { CustomerList } from './infrastructure/customer-list.js';
import { CustomerSubtreeIndex } from './infrastructure/customer-subtree-index.js';
import { FilteredCustomers } from './infrastructure/filtered-customers.js';
import { SqlContactQueries } from './infrastructure/sql-contact-queries.js';
import { SqlCustomerDirectory } from './infrastructure/sql-customer-directory.js';
import { SqlCustomerImport } from './infrastructure/sql-customer-import.js';
import { SqlCustomerListMarks } from './infrastructure/sql-customer-list-marks.js';
import { SqlNoteQueries } from './infrastructure/sql-note-queries.js';
import { TypeOrmContactRepository } from './infrastructure/typeorm-contact-repository.js';
import { TypeOrmCustomerRepository } from './infrastructure/typeorm-customer-repository.js';
import { TypeOrmNoteRepository } from './infrastructure/typeorm-note-repository.js';

/** Requires `LicenseCensus`, which licensing provides in a global module. */
@Module({
  imports: [PartnersModule],
  providers: [
    Customers,
    Contacts,
    CustomerNotes,
    CustomerSubtreeIndex,
    CustomerList,
    FilteredCustomers,
    { provide: CustomerRepository, useClass: TypeOrmCustomerRepository },
    { provide: ContactRepository, useClass: TypeOrmContactRepository },
    { provide: NoteRepository, useClass: TypeOrmNoteRepository },
    { provide: CustomerDirectory, useClass: SqlCustomerDirectory },
    { provide: CustomerListMarks, useClass: SqlCustomerListMarks },
    { provide: CustomerImport, useClass: SqlCustomerImport },
    { provide: CustomerQueries, useClass: BatchedCustomerQueries },
    { provide: ContactQueries, useClass: SqlContactQueries },
    { provide: NoteQueries, useClass: SqlNoteQueries },
  ],
  exports: [
    Customers,
    Contacts,
    CustomerNotes,
    CustomerDirectory,
    CustomerImport,
    CustomerListMarks,
    CustomerQueries,
    ContactQueries,
    NoteQueries,
  ],
})
export class CustomersModule {}
