import { useEffect, useRef } from 'react';
import { classes } from './classes';

export interface LogViewLine {
  readonly key: number | string;
  readonly source?: string;
  readonly text: string;
  readonly isError?: boolean;
}

/** Lines of text in a box that stays at its end while `follow` is on. Text of containers is shown as text, never as HTML. */
export function LogView({ lines, follow, label }: { lines: readonly LogViewLine[]; follow: boolean; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, follow]);
  return (
    <div
      ref={box}
      role="log"
      aria-label={label}
      tabIndex={0}
      className="border-line bg-panel max-h-[28rem] min-h-40 overflow-auto rounded-md border p-3 font-mono text-xs leading-5"
    >
      {lines.map(({ key, source, text, isError }) => (
        <div key={key} className={classes('break-words whitespace-pre-wrap', isError && 'text-bad')}>
          {source ? <span className="text-quiet">{source} </span> : null}
          {text}
        </div>
      ))}
    </div>
  );
}
