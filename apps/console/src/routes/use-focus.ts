import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';
import { leaveScreen } from '../ui/focus/arrival';
import { keepFocus } from '../ui/focus/kept-focus';

/** Where the focus goes when the screen changes, or what had it is gone. @returns for the element with the screens */
export function useFocus(): RefObject<HTMLElement | null> {
  const { history } = useRouter();
  const main = useRef<HTMLElement>(null);
  useEffect(() => keepFocus(main.current!), []);
  useEffect(() => {
    let { pathname } = history.location;
    return history.subscribe(({ location, action }) => {
      const isOther = location.pathname !== pathname;
      pathname = location.pathname;
      if (isOther) leaveScreen(action.type !== 'PUSH' && action.type !== 'REPLACE');
    });
  }, [history]);
  return main;
}
