import { Statement, type ComputedFigures } from './statement.js';
import { period } from '../../testing/days.js';
import { idOf } from '../../testing/ids.js';

const at = (text: string): Date => new Date(text);
const JULY = at('2026-07-01T00:00:00Z');
const figures = (figuresHash: string): ComputedFigures => ({ figuresHash, computedAt: at('2026-07-01T03:00:00Z') });
const act = { by: 'Ada', at: JULY };

function aDraft(): Statement {
  return Statement.draft({ id: idOf('s1'), partnerId: idOf('A'), period: period('2026-06') }, figures('f1'));
}

function aFinalized(): Statement {
  const statement = aDraft();
  statement.review(act);
  statement.finalize(act);
  return statement;
}

const conflict = (slug: string, message: string) =>
  expect.objectContaining({ kind: 'conflict', slug, message }) as Error;
const notDraft = conflict('statement-not-draft', 'The statement is not a draft: its figures are locked.');

describe('a draft', () => {
  it('begins as the first revision, neither reviewed nor finalized', () => {
    expect(aDraft().state).toEqual({
      id: idOf('s1'),
      partnerId: idOf('A'),
      period: period('2026-06'),
      revision: 1,
      status: 'draft',
      computedAt: at('2026-07-01T03:00:00Z'),
      figuresHash: 'f1',
      review: null,
      finalizedBy: null,
      finalizedAt: null,
      supersedesStatementId: null,
      correction: null,
      needsCorrection: false,
    });
  });

  it('can be recomputed any number of times', () => {
    const statement = aDraft();
    statement.recompute({ figuresHash: 'f2', computedAt: at('2026-07-02T03:00:00Z') });
    expect(statement.state).toMatchObject({ figuresHash: 'f2', computedAt: at('2026-07-02T03:00:00Z'), revision: 1 });
  });

  it('keeps the last review, with its figures', () => {
    const statement = aDraft();
    statement.review(act);
    statement.review({ by: ' Grace ', at: at('2026-07-02T00:00:00Z') });
    expect(statement.state.review).toEqual({ by: 'Grace', at: at('2026-07-02T00:00:00Z'), figuresHash: 'f1' });
  });

  it('is not flagged for correction, because it is recomputed anyway', () => {
    const statement = aDraft();
    statement.flagForCorrection();
    expect(statement.state.needsCorrection).toBe(false);
  });

  it('is restored from storage unchanged', () => {
    const { state } = aFinalized();
    expect(Statement.restore(state).state).toEqual(state);
  });
});

describe('finalizing', () => {
  it('locks reviewed figures of a month that has ended', () => {
    expect(aFinalized().state).toMatchObject({ status: 'finalized', finalizedBy: 'Ada', finalizedAt: JULY });
  });

  it('is refused until the month has ended', () => {
    const statement = aDraft();
    statement.review(act);
    expect(thrownBy(() => statement.finalize({ by: 'Ada', at: at('2026-06-30T23:59:59.999Z') }))).toEqual(
      conflict('month-not-ended', 'The month 2026-06 has not ended.'),
    );
    expect(statement.state.status).toBe('draft');
  });

  it('is refused without a review', () => {
    expect(thrownBy(() => aDraft().finalize(act))).toEqual(
      conflict('statement-not-reviewed', 'The statement has not been reviewed.'),
    );
  });

  it('is refused if the figures changed since the review', () => {
    const statement = aDraft();
    statement.review(act);
    statement.recompute(figures('f2'));
    expect(thrownBy(() => statement.finalize(act))).toEqual(
      conflict('figures-changed', 'The figures have changed since the review.'),
    );
  });

  it('is allowed if the figures were recomputed with the same result', () => {
    const statement = aDraft();
    statement.review(act);
    statement.recompute(figures('f1'));
    statement.finalize(act);
    expect(statement.state.status).toBe('finalized');
  });

  it('is allowed once, and nothing changes the figures afterwards', () => {
    const statement = aFinalized();
    const { state } = statement;
    for (const attempt of [
      () => statement.finalize(act),
      () => statement.review(act),
      () => statement.recompute(figures('f2')),
    ]) {
      expect(thrownBy(attempt)).toEqual(notDraft);
    }
    expect(statement.state).toEqual(state);
  });

  it.each([
    ['', 'by must not be empty'],
    [' ', 'by must not be empty'],
    ['x'.repeat(201), 'by must have at most 200 characters'],
    ['a\0b', 'by must not contain a NUL character'],
  ])('requires a name, not %j', (by, message) => {
    const reviewed = aDraft();
    reviewed.review(act);
    expect(() => aDraft().review({ by, at: JULY })).toThrow(message);
    expect(() => reviewed.finalize({ by, at: JULY })).toThrow(message);
    expect(reviewed.state.status).toBe('draft');
  });
});

it('allows names of up to 200 characters', () => {
  const statement = aDraft();
  statement.review({ by: 'x'.repeat(200), at: JULY });
  expect(statement.state.review?.by).toHaveLength(200);
});

describe('correcting', () => {
  const order = { ...act, id: idOf('s2'), reason: ' late transfer ' };

  it('supersedes the finalized revision and begins the next with the figures of today', () => {
    const statement = aFinalized();
    statement.flagForCorrection();
    expect(statement.state.needsCorrection).toBe(true);

    const next = statement.correct(order, figures('f2'));
    expect(statement.state).toMatchObject({
      status: 'superseded',
      finalizedBy: 'Ada',
      figuresHash: 'f1',
      needsCorrection: false,
    });
    expect(next.state).toEqual({
      ...aDraft().state,
      id: idOf('s2'),
      revision: 2,
      figuresHash: 'f2',
      supersedesStatementId: idOf('s1'),
      correction: { by: 'Ada', at: JULY, reason: 'late transfer' },
    });
  });

  it('is allowed again after the new revision is finalized', () => {
    const second = aFinalized().correct(order, figures('f2'));
    second.review(act);
    second.finalize(act);
    const third = second.correct({ ...order, id: idOf('s3') }, figures('f3'));
    expect(third.state).toMatchObject({ revision: 3, supersedesStatementId: idOf('s2') });
  });

  it('is allowed for the latest finalized revision only', () => {
    const refusal = conflict(
      'statement-not-finalized',
      'Only the latest finalized revision of a statement can be corrected.',
    );
    const superseded = aFinalized();
    superseded.correct(order, figures('f2'));
    expect(thrownBy(() => superseded.correct(order, figures('f3')))).toEqual(refusal);
    expect(thrownBy(() => aDraft().correct(order, figures('f2')))).toEqual(refusal);
    superseded.flagForCorrection();
    expect(superseded.state.needsCorrection).toBe(false);
    expect(thrownBy(() => superseded.finalize(act))).toEqual(notDraft);
  });

  it.each([
    [' ', 'reason must not be empty'],
    ['x'.repeat(1001), 'reason must have at most 1000 characters'],
  ])('requires a reason', (reason, message) => {
    const statement = aFinalized();
    expect(() => statement.correct({ ...order, reason }, figures('f2'))).toThrow(message);
    expect(() => statement.correct({ ...order, by: '' }, figures('f2'))).toThrow('by must not be empty');
    expect(statement.state.status).toBe('finalized');
  });
});

function thrownBy(attempt: () => void): unknown {
  try {
    attempt();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
