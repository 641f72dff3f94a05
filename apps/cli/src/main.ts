import { runProcess } from '#platform/run-process';
import { runProgram } from './program.js';

runProcess(async (env) => {
  const { stdin: input, stdout: out, stderr: err } = process;
  process.exitCode = await runProgram(process.argv.slice(2), { env, out, err, input });
});
