import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { LiveMessage } from '../../../live/connection';
import { useChannel } from '../../../live/use-live';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/forms/field';
import { LogView, type LogViewLine } from '../../../ui/log-view';

const KEPT = 2_000;
const TAIL = 300;

/** What the containers of a service write, as they write it. */
export function Logs({ id }: { id: string }): ReactNode {
  const [lines, setLines] = useState<readonly LogViewLine[]>([]);
  const [paused, setPaused] = useState(false);
  const [search, setSearch] = useState('');
  const waiting = useRef<LogViewLine[]>([]);

  useChannel(
    `service:${id}:logs`,
    (message) => {
      const line = lineOf(message);
      if (!line) return;
      waiting.current.push(line);
      if (!paused) flush();
    },
    TAIL,
  );
  const flush = () => {
    const came = waiting.current;
    waiting.current = [];
    setLines((kept) => [...kept, ...came].slice(-KEPT));
  };
  const shown = useMemo(() => {
    const text = search.toLowerCase();
    return text ? lines.filter((line) => line.text.toLowerCase().includes(text)) : lines;
  }, [lines, search]);

  const resume = () => {
    setPaused(false);
    flush();
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-48 flex-1 basis-full sm:basis-0">
          <TextField label="Search in the lines shown" type="search" value={search} onChange={setSearch} />
        </div>
        <Button onClick={paused ? resume : () => setPaused(true)}>{paused ? 'Follow' : 'Pause'}</Button>
        <Button onClick={() => download(`${id}.log`, shown)}>Download</Button>
      </div>
      <LogView lines={shown} follow={!paused} label="Log of the service" />
      <p className="text-quiet text-xs">
        {shown.length === 0
          ? 'Nothing has been written yet. New lines appear here by themselves.'
          : `The last ${shown.length} lines.`}
        {paused ? ' Paused: new lines are kept and shown when you follow again.' : ''}
      </p>
    </div>
  );
}

function lineOf({ type, seq, data = {} }: LiveMessage): LogViewLine | null {
  if (type === 'service.log')
    return {
      key: seq ?? 0,
      source: textOf(data['container']),
      text: textOf(data['line']),
      isError: data['stream'] === 'stderr',
    };
  if (type !== 'service.log.gap') return null;
  const dropped = typeof data['dropped'] === 'number' ? `${data['dropped']} lines are` : 'Some lines may be';
  return { key: `gap-${seq ?? Math.random()}`, text: `… ${dropped} missing here …` };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function download(name: string, lines: readonly LogViewLine[]): void {
  const text = lines.map(({ source, text: line }) => (source ? `${source} ${line}` : line)).join('\n');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
