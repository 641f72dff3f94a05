const PROJECTS = ['unit', 'system'];

/**
 * Jest takes every argument after `--selectProjects` as a project name, so `--selectProjects unit some/path` would run
 * no test. Our project names become one option each; the rest stays as it was.
 */
function projectsApart(args) {
  const selected = [];
  const rest = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i].startsWith('--selectProjects=')) selected.push(args[i].slice('--selectProjects='.length));
    else if (args[i] === '--selectProjects') while (PROJECTS.includes(args[i + 1])) selected.push(args[++i]);
    else rest.push(args[i]);
  }
  return { selected, rest };
}

/** Whether only unit tests are requested; these need neither a build nor a database. */
export function onlyUnit(args) {
  const { selected } = projectsApart(args);
  return selected.length > 0 && selected.every((project) => project === 'unit');
}

/** Options that do not restrict the files of the projects. */
const NOTHING_LEFT_OUT = /^--(ci|forceExit|json|logHeapUsage|maxWorkers=.*|outputFile=.*|runInBand|silent|verbose)$/;

/** Whether all tests are requested, and none by name or file. */
export const isWhole = (args) => projectsApart(args).rest.every((arg) => NOTHING_LEFT_OUT.test(arg));

/** The arguments of a run that also writes its summary to a file. */
export function jestArguments(args, summaryFile) {
  const { selected, rest } = projectsApart(args);
  // Without anybody to press Ctrl-C, a handle that a test forgot must not keep the finished run alive.
  const ci = process.env.CI === 'true' ? ['--ci', '--forceExit'].filter((option) => !rest.includes(option)) : [];
  const summary = rest.some((arg) => arg.startsWith('--outputFile')) ? [] : ['--json', `--outputFile=${summaryFile}`];
  return [...selected.map((project) => `--selectProjects=${project}`), ...ci, ...summary, ...rest];
}
