import { type ErrorCode, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { YamlDefect } from '../../domain/compose/compose-document.js';
import { type ReadDocument, UnreadableYaml, YamlReader } from './yaml-reader.js';

const MOST_DEFECTS = 20;

/** The document, or why there is none. Plain data: it crosses from the worker thread. */
export type YamlReading = ReadDocument | { readonly root: null; readonly defects: readonly YamlDefect[] };

/** Said in our words: the library's messages may quote the file, and a file holds secrets. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias carries a tag or an anchor',
  BAD_DIRECTIVE: 'a directive that is not understood',
  BAD_INDENT: 'wrong indentation',
  MULTIPLE_DOCS: 'more than one document',
  RESOURCE_EXHAUSTION: 'nested too deep',
  TAB_AS_INDENT: 'a tab in the indentation',
};

/** Reads one YAML 1.2 document with merge keys, within the bounds that `ComposeDocument` promises. */
export function readYaml(text: string): YamlReading {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: true,
      // The reader checks it: the parser would compare every key with every other one.
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
    });
    // Unknown tags are the reader's to report: it knows their place.
    const problems = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
    if (problems.length > 0)
      return { root: null, defects: problems.slice(0, MOST_DEFECTS).map((problem) => syntaxDefect(problem, lines)) };
    return new YamlReader(document).read();
  } catch (error) {
    if (error instanceof UnreadableYaml) return { root: null, defects: [error.defect] };
    // The parser descends by recursion: too deep a file exhausts the stack.
    if (error instanceof RangeError)
      return { root: null, defects: [{ path: '', message: 'The file is nested too deep.', isUnreadable: true }] };
    throw error;
  }
}

function syntaxDefect({ code, pos }: YAMLError, lines: LineCounter): YamlDefect {
  const { line, col } = lines.linePos(Math.max(pos[0], 0));
  const message = `Line ${line}, column ${col}: ${MESSAGES[code] ?? 'this is not valid YAML'}.`;
  return { path: '', message, isUnreadable: true };
}
