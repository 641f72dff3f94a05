import * as fc from 'fast-check';
import { BillingWindow } from '../ownership/billing-window.js';
import { anyWorld, PARTNERS } from '../../testing/arbitrary-world.js';
import { statementsDayByDay } from '../../testing/day-by-day-oracle.js';
import { readable, statementOf } from '../../testing/statement-of.js';

const HISTORIES_PER_WORLD = 25;
const WORLDS = 4_000;

it('the engine agrees with a day-by-day reading of the rules on 100,000 random histories', () => {
  let histories = 0;
  fc.assert(
    fc.property(anyWorld(HISTORIES_PER_WORLD), (world) => {
      const window = BillingWindow.wholeMonth(world.period);
      statementsDayByDay(world, PARTNERS).forEach((oracle, index) => {
        const partner = PARTNERS[index]!;
        const figures = statementOf(partner, world.contracts, world.licenses, window);
        const { lines, totals } = readable(figures, world.period.days);
        // Strings compare a hundred times faster than objects. Both sides write their keys in the same order.
        expect(JSON.stringify({ lines: lines.map(withoutFractions), totals })).toBe(JSON.stringify(oracle));
      });
      histories += world.licenses.length;
    }),
    { numRuns: WORLDS },
  );
  expect(histories).toBe(100_000);
});

// The oracle has no fractions; they have their own tests.
function withoutFractions({ exact: _line, detail, pack, ...line }: ReturnType<typeof readable>['lines'][number]) {
  return { ...line, detail: detail.map(({ exact: _part, ...part }) => part), ...(pack && { pack }) };
}
