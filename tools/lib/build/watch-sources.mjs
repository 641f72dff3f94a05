import path from 'node:path';
import { startProcess } from '../instance/supervisor.mjs';

/** Compiles every change from now on. Applications restart when their compiled files change. */
export function watchSources(root) {
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--project', path.join(root, 'tsconfig.build.json'), '--watch', '--preserveWatchOutput'];
  return startProcess({ args, env: process.env, log: 'inherit' });
}
