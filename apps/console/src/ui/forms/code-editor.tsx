import { lazy, Suspense } from 'react';
import { Loading } from '../empty-state';
import type { CodeEditorProps } from './code-editor-props';

// The editor is as large as the rest of the console: it is loaded where somebody edits.
const Loaded = lazy(() => import('./code-editor-loaded'));

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense
      fallback={
        <div className="border-line h-72 rounded-md border">
          <Loading what="the editor" />
        </div>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
