import { runProcess } from '#platform/run-process';
import { runProgram } from './program.js';

// A reader of the output may stop early (`… | head`). That must not abort the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

runProcess(async (env) => {
  const { stdin: input, stdout: out, stderr: err } = process;
  process.exitCode = await runProgram(process.argv.slice(2), { env, out, err, input });
});
