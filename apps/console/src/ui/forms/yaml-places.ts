import { isNode, LineCounter, parseDocument } from 'yaml';
import type { ProblemDetail } from '../../api/problem';

/** The line, from 1 on, that the API means: it names the line itself in a file that it could not read. */
export const lineOf = (text: string, { path, message }: ProblemDetail): number =>
  Number(/^Line (\d+),/.exec(message)?.[1] ?? lineOfPointer(text, path));

/** Where a JSON pointer leads in a compose file. The nearest part that is there counts. */
function lineOfPointer(text: string, pointer: string): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const parts = pointer
    .replace(/^\/composeYaml/, '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  for (let length = parts.length; length > 0; length--) {
    const node = document.getIn(parts.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
