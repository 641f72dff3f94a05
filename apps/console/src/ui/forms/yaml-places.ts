import { isNode, LineCounter, parseDocument } from 'yaml';

/** The line, from 1 on, where a JSON pointer of the API leads in a compose file. The nearest part that is there counts. */
export function lineOfPointer(text: string, pointer: string): number {
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
