import { useId, useState } from 'react';
import { Button } from './button';

/** A value to copy, which is selected when it is focused. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const id = useId();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={text}
          onFocus={(event) => event.target.select()}
          className="border-field bg-raised min-h-9 w-full min-w-0 rounded-md border px-3 font-mono text-xs"
        />
        <Button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
