// What CI makes of Jest's JSON summaries.
//   node tools/ci-verdict.mjs failed SUMMARY            the files that failed, one a line, relative to the checkout
//   node tools/ci-verdict.mjs count STEPS SUMMARY...    `N passed, N failed`; of a file in several summaries the last
//                                                       counts, and each of the STEPS that failed is a failure too
import fs from 'node:fs';
import path from 'node:path';

const [what, ...args] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..');

if (what === 'failed') {
  for (const [file, { ok }] of resultsOf(args)) if (!ok) console.log(path.relative(root, file));
} else {
  const [steps, ...summaries] = args;
  const files = [...resultsOf(summaries).values()];
  const sum = (key) => files.reduce((total, result) => total + result[key], 0);
  // No summary at all is a failure, never a pass.
  const failed = sum('failed') + Number(steps) + (files.length === 0 ? 1 : 0);
  const skipped = sum('skipped');
  console.log(`${sum('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** By file; one that could not even be loaded has failed once. */
function resultsOf(summaries) {
  const results = new Map();
  for (const file of summaries.filter((name) => fs.existsSync(name))) {
    for (const { name, status, assertionResults } of JSON.parse(fs.readFileSync(file, 'utf8')).testResults) {
      const count = (state) => assertionResults.filter((assertion) => assertion.status === state).length;
      const failed = count('failed') || (status === 'failed' ? 1 : 0);
      results.set(name, { ok: failed === 0, failed, passed: count('passed'), skipped: count('pending') });
    }
  }
  return results;
}
