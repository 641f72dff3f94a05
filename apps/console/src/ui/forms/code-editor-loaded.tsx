import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { CodeEditorProps } from './code-editor-props';
import { cspNonce } from '../csp-nonce';
import { lineOf } from './yaml-places';

const LOOK = EditorView.theme({
  '&': {
    fontSize: '13px',
    border: '1px solid var(--color-field)',
    borderRadius: '6px',
    background: 'var(--color-panel)',
  },
  '.cm-content': { fontFamily: 'var(--font-mono)', minHeight: '18rem', caretColor: 'var(--color-text)' },
  '.cm-gutters': {
    background: 'var(--color-raised)',
    color: 'var(--color-quiet)',
    border: 'none',
    minHeight: '18rem !important',
  },
  '.cm-scroller': { maxHeight: '32rem' },
  '.cm-cursor': { borderLeftColor: 'var(--color-text)' },
  '&.cm-focused, &:focus-within': { outline: '2px solid var(--color-accent)', outlineOffset: '1px' },
  // The library draws its marks as data images, which the Content-Security-Policy does not let in.
  '.cm-lint-marker-error': { content: 'none', background: 'var(--color-bad)', borderRadius: '50%' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--color-bad)' },
});

/** The library's own colours cannot be read on a dark ground. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--color-busy)' },
  { tag: [tags.comment, tags.meta], color: 'var(--color-quiet)' },
]);

/** A text area for compose files that marks the places which the API refuses. Tab leaves it, as in every other field. */
export default function LoadedCodeEditor({ label, value, onChange, details = [] }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          yaml(),
          syntaxHighlighting(COLOURS),
          lintGutter(),
          LOOK,
          EditorView.cspNonce.of(cspNonce()),
          EditorView.lineWrapping,
          EditorState.readOnly.of(!changed.current),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor holds its own text from here on.
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    if (editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const text = editor.state.doc;
    const marks = details.map((detail) => {
      const { from, to } = text.line(Math.min(text.lines, lineOf(text.toString(), detail)));
      return { from, to, severity: 'error' as const, message: `${detail.path} ${detail.message}`.trim() };
    });
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [details]);

  return <div ref={host} />;
}
