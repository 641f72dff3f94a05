// Evaluates Jest's JSON summaries for CI.
//   node tools/ci-verdict.mjs failed SUMMARY            the files that failed, one a line, relative to the checkout
//   node tools/ci-verdict.mjs slowest SUMMARY           the ten specs whose tests took longest, in seconds, without what they prepared
//   node tools/ci-verdict.mjs count STEPS SUMMARY...    `N passed, N failed`; if a file is in several summaries, the last one counts; each failed step counts as a failure
import fs from 'node:fs';
import path from 'node:path';
import { SUITE } from './lib/tests/together.mjs';

const [what, ...args] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..');

if (what === 'failed') {
  for (const [file, { ok }] of resultsOf(args)) if (!ok) console.log(path.relative(root, file));
} else if (what === 'slowest') {
  const slowest = [...resultsOf(args)].sort(([, a], [, b]) => b.seconds - a.seconds).slice(0, 10);
  for (const [file, { seconds }] of slowest) console.log(`${seconds}\t${path.relative(root, file)}`);
} else {
  const [steps, ...summaries] = args;
  const files = [...resultsOf(summaries).values()];
  const sum = (key) => files.reduce((total, result) => total + result[key], 0);
  // A missing summary is a failure.
  const failed = sum('failed') + Number(steps) + (files.length === 0 ? 1 : 0);
  const skipped = sum('skipped');
  console.log(`${sum('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** The results by file. A file that could not be loaded counts as one failure. */
function resultsOf(summaries) {
  const results = new Map();
  for (const summary of summaries.filter((name) => fs.existsSync(name))) {
    for (const result of JSON.parse(fs.readFileSync(summary, 'utf8')).testResults) {
      const specs = specsOf(result);
      const isToldByATest = result.assertionResults.some(({ status }) => status === 'failed');
      if (result.status === 'failed' && !isToldByATest) {
        specs.set(result.name, [...(specs.get(result.name) ?? []), { status: 'failed' }]);
      }
      for (const [file, assertions] of specs) results.set(file, counted(assertions));
    }
  }
  return results;
}

function counted(assertions) {
  const count = (state) => assertions.filter(({ status }) => status === state).length;
  const failed = count('failed');
  const seconds = Math.round(assertions.reduce((total, { duration }) => total + (duration ?? 0), 0) / 1000);
  return { ok: failed === 0, failed, passed: count('passed'), skipped: count('pending'), seconds };
}

/** The assertions by spec: those that ran together are below the name of their file. */
function specsOf({ name, assertionResults }) {
  if (path.basename(name) !== SUITE) return new Map([[name, assertionResults]]);
  const specs = new Map();
  for (const assertion of assertionResults) {
    const spec = path.join(path.dirname(name), assertion.ancestorTitles[0] ?? SUITE);
    specs.set(spec, [...(specs.get(spec) ?? []), assertion]);
  }
  return specs;
}
