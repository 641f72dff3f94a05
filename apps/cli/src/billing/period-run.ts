import type { INestApplicationContext } from '@nestjs/common';
import { StatementQueries, type StatementOutcome, type StatementView } from '#libs/billing';
import type { BillingPeriod } from '#kernel/time/billing-period';
import { Conflict } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Options } from '../command-line.js';
import { existingPartner } from '../existing-partner.js';
import { optionalUuid, text } from '../option-values.js';
import { forEach } from '../terminal/progress.js';

export interface Refusal {
  readonly partnerId: Uuid;
  readonly code: string;
  readonly message: string;
}

/** The outcome of a month, by partner. */
export interface PeriodResult {
  readonly done: readonly StatementView[];
  /** Already finalized, so unchanged. */
  readonly locked: readonly StatementView[];
  /** Partners with nothing to bill. */
  readonly nothing: readonly Uuid[];
  readonly refused: readonly Refusal[];
}

/**
 * The partners of a command: the one given by `--partner`, or all that may have something to bill.
 * @throws NotFound if there is no such partner
 */
export async function partnersOf(
  app: INestApplicationContext,
  options: Options,
  period: BillingPeriod,
): Promise<Uuid[]> {
  const one = optionalUuid(options, 'partner');
  if (!one) return app.get(StatementQueries, { strict: false }).billablePartners(period);
  return [await existingPartner(app, one)];
}

/** Runs `work` for each partner. If one is refused, the others continue. */
export async function forPartners(
  what: string,
  partners: readonly Uuid[],
  err: NodeJS.WriteStream,
  work: (partnerId: Uuid) => Promise<StatementOutcome>,
): Promise<PeriodResult> {
  const outcomes = await forEach(what, partners, err, async (partnerId) => {
    try {
      return { partnerId, ...(await work(partnerId)) };
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      return { outcome: 'refused', partnerId, code: error.slug, message: error.message } as const;
    }
  });
  const statements = (wanted: string) =>
    outcomes.flatMap((result) => ('statement' in result && result.outcome === wanted ? [result.statement] : []));
  return {
    done: statements('done'),
    locked: statements('locked'),
    nothing: outcomes.flatMap(({ outcome, partnerId }) => (outcome === 'nothing' ? [partnerId] : [])),
    refused: outcomes.flatMap((result) =>
      result.outcome === 'refused' ? [{ partnerId: result.partnerId, code: result.code, message: result.message }] : [],
    ),
  };
}

/** Reports the first refusal as the error of the whole command, for scripts. */
export function errorOf({ refused }: PeriodResult): { error?: { code: string; message: string } } {
  const [first] = refused;
  if (!first) return {};
  const others = refused.length > 1 ? ` (${refused.length} partners were refused)` : '';
  return { error: { code: first.code, message: `${first.message}${others}` } };
}

/** @throws WrongUsage if the name is blank */
export function nameOption(options: Options): string {
  return text(options, 'by').trim();
}
