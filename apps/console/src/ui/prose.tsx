import type { ReactNode } from 'react';

/** Text of the API: what stands between backticks is code. */
export function Prose({ text }: { text: string }): ReactNode {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} className="font-mono text-[0.9em]">
        {part}
      </code>
    ),
  );
}
