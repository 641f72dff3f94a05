import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ASKED_IN_SUBTREE } from '#platform/database/asked-in-subtree';
import { HotReader } from '#platform/database/hot-reader';
import { arraysOf, relationOf, rowsByPlace, type SetStatement } from '#platform/database/set-statement';
import { tickBatch } from '#platform/database/tick-batch';
import type { BillingDate } from '#kernel/calendar-date';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/uuid';
import { LicenseQueries, type LicenseFilter, type LicensePage } from '../application/license-queries.js';
import { licenseView, type LicenseView } from '../application/license-view.js';
import type { LicenseRecord } from '../domain/license.js';
import { LicenseList } from './license-list.js';
import { inSubtree, LICENSE_COLUMNS, toLicense, type LicenseRow } from './license.row.js';

const ONE = {
  name: 'license-in-subtree',
  text: `select ${LICENSE_COLUMNS} from licensing.licenses l where l.id = $2 and ${inSubtree('$1')}`,
};
interface Question {
  readonly subtree: PartnerSubtree;
  readonly id: Uuid;
}

const MANY: SetStatement<Question> = {
  name: 'licenses-in-subtrees',
  text: `select asked.place, ${LICENSE_COLUMNS} from ${relationOf(ASKED_IN_SUBTREE)} as asked
    join licensing.licenses l on l.id = asked.id and ${inSubtree('asked.root_id')}`,
  values: arraysOf(ASKED_IN_SUBTREE),
};

/** All look-ups that wait in one turn of the event loop are one query, the tenancy of each included. */
@Injectable()
export class BatchedLicenseQueries extends LicenseQueries {
  private readonly load: (question: Question) => Promise<LicenseRecord | null>;

  constructor(
    private readonly reader: HotReader,
    private readonly licenses: LicenseList,
  ) {
    super();
    this.load = tickBatch((questions) => this.lookUp(questions));
  }

  async get(subtree: PartnerSubtree, id: Uuid, today: BillingDate): Promise<LicenseView> {
    const license = await this.load({ subtree, id });
    if (!license) throw new NotFound();
    return licenseView(license, today);
  }

  list(subtree: PartnerSubtree, filter: LicenseFilter, page: PageRequest, today: BillingDate): Promise<LicensePage> {
    return this.licenses.page(subtree, filter, page, today);
  }

  private async lookUp(questions: readonly Question[]): Promise<(LicenseRecord | null)[]> {
    const [first] = questions;
    if (first && questions.length === 1) {
      const rows = await this.reader.rows<LicenseRow>(ONE, [first.subtree.rootId, first.id]);
      return [rows[0] ? toLicense(rows[0]) : null];
    }
    const rows = await this.reader.rows(MANY, MANY.values(questions));
    return rowsByPlace<LicenseRow>(rows, questions.length).map(([row]) => (row ? toLicense(row) : null));
  }
}
