import type { Detection } from '../../detection/detection.js';
import type { Generation } from './generation.js';
import { goDockerfile } from './go.js';
import { javaDockerfile } from './java.js';
import { nodeDockerfile } from './node.js';
import { phpDockerfile } from './php.js';
import { pythonDockerfile } from './python.js';
import { rubyDockerfile } from './ruby.js';
import { rustDockerfile } from './rust.js';
import { staticDockerfile } from './static.js';

/** Writes a Dockerfile for a repository without one. It contains no secrets, so users can commit it unchanged. */
export function generateDockerfile(detection: Detection, generation: Generation): string {
  const lines = linesOf(detection, generation);
  const what = [detection.language, detection.version, detection.framework].filter(Boolean).join(' ');
  return [`# Made for ${what}. Commit this file as Dockerfile to change it.`, ...lines, ''].join('\n');
}

function linesOf(detection: Detection, generation: Generation): readonly string[] {
  switch (detection.language) {
    case 'node':
      return nodeDockerfile(detection, generation);
    case 'python':
      return pythonDockerfile(detection, generation);
    case 'go':
      return goDockerfile(detection, generation);
    case 'php':
      return phpDockerfile(detection, generation);
    case 'ruby':
      return rubyDockerfile(detection, generation);
    case 'java':
      return javaDockerfile(detection, generation);
    case 'rust':
      return rustDockerfile(detection, generation);
    case 'static':
      return staticDockerfile(detection.outputFolder ?? '.', null, generation);
  }
}
