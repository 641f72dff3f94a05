import type { ProblemDetail } from '../../api/problem';

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  /** Places that the API refuses: JSON pointers into the document, shown at their lines. */
  readonly details?: readonly ProblemDetail[];
}
