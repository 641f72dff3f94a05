import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ASKED_IN_SUBTREE } from '#platform/database/batching/asked-in-subtree';
import { HotReader } from '#platform/database/batching/hot-reader';
import { arraysOf, relationOf, type Columns, type SetStatement } from '#platform/database/batching/set-statement';
import { tickBatch } from '#platform/database/batching/tick-batch';
import type { BillingDate } from '#kernel/time/calendar-date';
import { NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseQueries, type LicenseFilter } from '../../application/license-queries.js';
import type { LicenseView } from '../../application/license-view.js';
import { LicenseList } from './license-list.js';
import { inSubtree } from '../license.row.js';
import { listed, listedColumns } from './listed-license.js';

interface Question {
  readonly subtree: PartnerSubtree;
  readonly id: Uuid;
  readonly today: BillingDate;
}

const ONE = {
  name: 'license-in-subtree',
  text: `select ${listedColumns('$3')} from licensing.licenses l where l.id = $2 and ${inSubtree('$1')}`,
};
const NUMBERED = {
  name: 'license-by-number',
  text: `select ${listedColumns('$3')} from licensing.licenses l where l.number = $2 and ${inSubtree('$1')}`,
};
const ASKED: Columns<Question> = { ...ASKED_IN_SUBTREE, today: ['date', ({ today }) => today.toString()] };
const MANY: SetStatement<Question> = {
  name: 'licenses-in-subtrees',
  text: `select ${listedColumns('asked.today')}, asked.place from ${relationOf(ASKED)} as asked
    join licensing.licenses l on l.id = asked.id and ${inSubtree('asked.root_id')}`,
  values: arraysOf(ASKED),
};

/** Answers all look-ups of one turn of the event loop with one query. Each look-up has its own subtree. */
@Injectable()
export class BatchedLicenseQueries extends LicenseQueries {
  private readonly load: (question: Question) => Promise<LicenseView | null>;

  constructor(
    private readonly reader: HotReader,
    private readonly licenses: LicenseList,
  ) {
    super();
    this.load = tickBatch((questions) => this.lookUp(questions));
  }

  async get(subtree: PartnerSubtree, id: Uuid, today: BillingDate): Promise<LicenseView> {
    const license = await this.load({ subtree, id, today });
    if (license === null) throw new NotFound();
    return license;
  }

  async numbered(subtree: PartnerSubtree, number: number, today: BillingDate): Promise<LicenseView | null> {
    const [row] = await this.reader.texts(NUMBERED, [subtree.rootId, number, today.toString()]);
    return row ? listed(row) : null;
  }

  list(subtree: PartnerSubtree, filter: LicenseFilter, page: PageRequest, today: BillingDate): Promise<LicenseView[]> {
    return this.licenses.page(subtree, filter, page, today);
  }

  private async lookUp(questions: readonly Question[]): Promise<(LicenseView | null)[]> {
    const [first] = questions;
    if (first && questions.length === 1) {
      const { subtree, id, today } = first;
      const [row] = await this.reader.texts(ONE, [subtree.rootId, id, today.toString()]);
      return [row ? listed(row) : null];
    }
    const answers: (LicenseView | null)[] = questions.map(() => null);
    const rows = await this.reader.texts(MANY, MANY.values(questions));
    for (const row of rows) answers[Number(row.at(-1)) - 1] = listed(row);
    return answers;
  }
}
