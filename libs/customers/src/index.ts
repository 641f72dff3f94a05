export { CustomersModule } from './customers.module.js';
export { Contacts } from './application/contacts.js';
export { CustomerDirectory, type CustomerRef } from './application/customer-directory.js';
export { CustomerImport } from './application/customer-import.js';
export { CustomerNotes } from './application/customer-notes.js';
export { ContactQueries, CustomerQueries, NoteQueries, type CustomerFilter } from './application/customer-queries.js';
export { Customers } from './application/customers.js';
export { CustomerListMarks } from './application/ports/customer-list-marks.js';
export { LicenseCensus } from './application/ports/license-census.js';
export { hasName, NAME_RULE, newContactDetails, type Contact, type ContactDetails } from './domain/contact.js';
export type { CustomerNote } from './domain/customer-note.js';
export {
  CUSTOMER_STATUSES,
  newCustomerDetails,
  type Customer,
  type CustomerDetails,
  type CustomerStatus,
} from './domain/customer.js';
