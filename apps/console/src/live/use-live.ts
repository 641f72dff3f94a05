import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConnectionState, LiveConnection, LiveMessage } from './connection';

export const LiveContext = createContext<LiveConnection | null>(null);

export function useLive(): LiveConnection {
  const live = useContext(LiveContext);
  if (!live) throw new Error('the live connection belongs to signed-in pages');
  return live;
}

/** Calls the newest `listener` for each message of a channel while the component is shown. */
export function useChannel(
  channel: string,
  listener: (message: LiveMessage) => void,
  tail: number | null = null,
): void {
  const live = useLive();
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => live.subscribe(channel, (message) => newest.current(message), tail), [live, channel, tail]);
}

/** Reads queries anew when a channel says that something they show has changed. */
export function useRefreshOn(channel: string, matches: (type: string) => boolean, ...keys: QueryKey[]): void {
  const client = useQueryClient();
  useChannel(channel, ({ type, data }) => {
    const missedSome = type === 'subscribed' && data?.['resumed'] === false;
    if (!missedSome && !matches(type)) return;
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  });
}

/** Reads again what could not be read while the panel was away. */
export function useRefreshWhenBack(): void {
  const client = useQueryClient();
  const isLive = useConnectionState() === 'live';
  useEffect(() => {
    if (isLive) void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [client, isLive]);
}

export function useConnectionState(): ConnectionState {
  const live = useLive();
  return useSyncExternalStore(live.watchState, live.currentState);
}
