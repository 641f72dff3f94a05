import { useEffect, useState } from 'react';
import { useConnectionState, useLive, useRefreshWhenBack } from '../live/use-live';

const NOTICE_DELAY_MS = 2_000;

/** Says when what is shown may be old, after a moment: most interruptions end before anybody notices. */
export function ConnectionNotice() {
  const live = useLive();
  const state = useConnectionState();
  const [shown, setShown] = useState(false);
  useRefreshWhenBack();
  useEffect(() => {
    setShown(false);
    if (state !== 'lost') return;
    const timer = setTimeout(() => setShown(true), NOTICE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (!shown) return null;
  const since = live.lostSince();
  return (
    <p role="status" className="bg-warn-ground text-warn px-4 py-2 text-center text-sm">
      The connection is lost. What you see is from {since ? new Date(since).toLocaleTimeString() : 'before'}; trying
      again …
    </p>
  );
}
