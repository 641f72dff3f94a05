import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { BillingPeriod } from '#kernel/time/billing-period';
import { BillingDate } from '#kernel/time/calendar-date';
import { StatementService } from '#libs/billing';
import { CliModule } from '../../apps/cli/src/cli.module.js';
import { partnerSide } from '../../apps/cli/src/sides/partner-side.js';
import { median, repeat } from '../lib/rounds.js';
import type { Measured, Row } from '../lib/row.js';
import type { Stage } from '../lib/stage.js';
import { idOfPartner } from '../seed/billing-world.js';
import { manyPartners } from './statement-compute.js';

const EVENTS = 20;

/** The licenses of a partner change, and its usage is recomputed. */
export const usageAfterEvent: Row = {
  number: '12',
  work: 'usage of a partner with 1,000 licenses after one event, p50',
  unit: 'ms',
  baseline: '-',
  better: 'lower',
  floor: 50,
  ambitious: 5,
  run,
};

async function run(stage: Stage): Promise<Measured> {
  const url = await manyPartners(stage);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const module = CliModule.forSide(partnerSide, partnerSide.settings({ DATABASE_URL: url }));
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  try {
    const service = app.get(StatementService, { strict: false });
    const partnerId = idOfPartner(1) as Parameters<StatementService['recomputeDraft']>[0];
    const period = BillingPeriod.containing(BillingDate.of(new Date()));
    const last = Math.round(1000 * stage.options.scale);
    let turn = 0;
    await service.recomputeDraft(partnerId, period);
    return await repeat(stage.options.rounds, async () => {
      const times: number[] = [];
      for (let event = 0; event < EVENTS; event++) {
        await pool.query(turn++ % 2 === 0 ? END_ONE : GO_ON, [period.firstDay.toString(), last]);
        const startedAt = performance.now();
        await service.recomputeDraft(partnerId, period);
        times.push(performance.now() - startedAt);
      }
      return median(times);
    });
  } finally {
    await app.close();
    await pool.end();
  }
}

/** The last license of partner 1 ends on the first of the month, without a ledger entry. */
const END_ONE = `
  update licensing.ownership_spans set days = daterange(lower(days), $1::date + 1), closed_by = opened_by
   where license_id = md5('license' || $2::int)::uuid and upper_inf(days)`;

const GO_ON = `
  update licensing.ownership_spans set days = daterange(lower(days), null), closed_by = null
   where license_id = md5('license' || $2::int)::uuid and upper(days) = $1::date + 1`;
