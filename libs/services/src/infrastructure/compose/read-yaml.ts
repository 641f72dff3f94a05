import { Composer, type CST, type Document, type ErrorCode, Lexer, LineCounter, Parser } from 'yaml';
import type { YamlDefect } from '../../domain/compose/compose-document.js';
import { type ReadDocument, UnreadableYaml, YamlReader } from './yaml-reader.js';

const MAX_DEFECTS = 20;
/**
 * Maximum number of nested collections, far more than the reader accepts. Composing is recursive. At the end of the
 * stack V8 cannot compile regular expressions any more, which would end the whole process and not only the thread.
 */
const MAX_OPEN = 200;

/** The document, or its problems. Plain data, because it is passed between threads. */
export type YamlReading = ReadDocument | { readonly root: null; readonly defects: readonly YamlDefect[] };

/** Our own messages, because the library's may quote the file, which may contain secrets. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias has a tag or an anchor',
  BAD_DIRECTIVE: 'an unknown directive',
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
  MULTIPLE_DOCS: 'more than one document',
  RESOURCE_EXHAUSTION: 'nested too deep',
  TAB_AS_INDENT: 'a tab in the indentation',
};

/** Reads one YAML 1.2 document with merge keys, within the bounds that `ComposeDocument` promises. */
export function readYaml(text: string): YamlReading {
  const lines = new LineCounter();
  try {
    const document = compose(text, lines);
    // Unknown tags are reported by the reader, which knows their place.
    const problems = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
    if (problems.length > 0)
      return {
        root: null,
        defects: problems.slice(0, MAX_DEFECTS).map(({ code, pos }) => defectAt(pos[0], code, lines)),
      };
    return new YamlReader(document).read();
  } catch (error) {
    if (error instanceof UnreadableYaml) return { root: null, defects: [error.defect] };
    throw error;
  }
}

/** Like `parseDocument`, with a limit on nesting. */
function compose(text: string, lines: LineCounter): Document.Parsed {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: true,
    // The reader checks for duplicates, because the parser would compare every key with every other one.
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [first, second] = composer.compose(tokensOf(text, lines), true, text.length);
  if (!first) throw new Error('no document, where one is always made');
  if (second) throw unreadable(second.range[0], 'MULTIPLE_DOCS', lines);
  return first;
}

/** @throws UnreadableYaml if collections are nested too deeply */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_OPEN) throw unreadable(parser.offset, 'RESOURCE_EXHAUSTION', lines);
  }
  yield* parser.end();
}

function unreadable(offset: number, code: ErrorCode, lines: LineCounter): UnreadableYaml {
  return new UnreadableYaml(defectAt(offset, code, lines));
}

function defectAt(offset: number, code: ErrorCode, lines: LineCounter): YamlDefect {
  const { line, col } = lines.linePos(Math.max(offset, 0));
  const message = `Line ${line}, column ${col}: ${MESSAGES[code] ?? 'this is not valid YAML'}.`;
  return { path: '', message, isUnreadable: true };
}
