import { useState } from 'react';
import { Button } from './button';

/** A value to copy, selected when it is focused. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="flex gap-2">
      <input
        readOnly
        aria-label={label}
        value={text}
        onFocus={(event) => event.target.select()}
        className="border-field bg-raised min-h-9 w-full min-w-0 rounded-md border px-3 font-mono text-xs"
      />
      <Button onClick={() => void copy()}>{copied ? 'Copied' : 'Copy'}</Button>
    </div>
  );
}
