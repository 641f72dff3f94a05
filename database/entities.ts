import { ContractRow } from '../libs/billing/src/infrastructure/contract.row.js';
import { ContactRow } from '../libs/customers/src/infrastructure/contact.row.js';
import { CustomerRow } from '../libs/customers/src/infrastructure/customer.row.js';
import { NoteRow } from '../libs/customers/src/infrastructure/note.row.js';
import {
  LicenseRecordRow,
  PolicyRow,
  SigningKeyRow,
} from '../libs/licensing/src/infrastructure/license-service/local/license-service.rows.js';
import { PartnerRow } from '../libs/partners/src/infrastructure/partner.row.js';
import { ApiKeyRow } from '../libs/panel-auth/src/infrastructure/api-key.row.js';
import { AuditEntryRow } from '../libs/panel-auth/src/infrastructure/audit-entry.row.js';
import { MembershipRow, OrganisationRow } from '../libs/panel-auth/src/infrastructure/organisation.row.js';
import { SessionRow } from '../libs/panel-auth/src/infrastructure/session.row.js';
import { UserRow } from '../libs/panel-auth/src/infrastructure/user.row.js';
import { DomainRow } from '../libs/services/src/infrastructure/domains/domain.row.js';
import { TemplateServiceRow } from '../libs/services/src/infrastructure/templates/template-service.row.js';
import { TokenRow } from '../libs/tokens/src/infrastructure/token.row.js';

/** Every table that TypeORM maps; a test compares them with the schema. */
export const entities = [
  PartnerRow,
  TokenRow,
  CustomerRow,
  ContactRow,
  NoteRow,
  ContractRow,
  PolicyRow,
  LicenseRecordRow,
  SigningKeyRow,
  UserRow,
  OrganisationRow,
  MembershipRow,
  ApiKeyRow,
  SessionRow,
  AuditEntryRow,
  DomainRow,
  TemplateServiceRow,
];
