import fs from 'node:fs';
import { createRequire } from 'node:module';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What is wrong with a screen before anybody looks at it: findings of axe by WCAG 2.2 AA, and what is too wide. */
export async function findingsOn(page) {
  // Through the debugger: the Content-Security-Policy of the page lets no other script in.
  await page.evaluate(AXE);
  const findings = await page.evaluate(async (rules) => {
    const { violations } = await globalThis.axe.run({ runOnly: { type: 'tag', values: rules } });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, RULES);
  const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return wider > 0 ? [...findings, `${wider} pixels too wide`] : findings;
}
