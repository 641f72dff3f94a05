import { useEffect, useRef, type RefObject } from 'react';

/** Where the focus was when somebody left a screen; undefined while nobody is on the way to another. */
let left: Element | null | undefined;
let keepsScroll = false;
let headings: HTMLElement[] = [];

/**
 * Somebody leaves a screen: the focus goes to the heading of the next one, as after the load of a page.
 * @param isReturn whether the browser brings them back to where they have been, and scrolls there by itself
 */
export function leaveScreen(isReturn: boolean): void {
  left = document.activeElement;
  keepsScroll = isReturn;
}

/** Whether somebody is on the way to a screen whose heading is not there yet. */
export const isOnTheWay = (): boolean => left !== undefined;

/**
 * A heading that takes the focus when its screen is new.
 * @param screen changes with the screen that the heading belongs to; null while the heading is not the final one
 */
export function useArrival(screen: string | null): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (screen === null || left === undefined || !heading.current) return;
    headings.push(heading.current);
    // All headings of a screen come with one rendering: the first of them is the one to read.
    if (headings.length === 1) queueMicrotask(arrive);
  }, [screen]);
  return heading;
}

function arrive(): void {
  const [first] = headings.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  headings = [];
  const { activeElement } = document;
  // Whoever has gone on by keyboard or mouse meanwhile is not called back.
  const hasGoneOn = activeElement !== document.body && activeElement !== left;
  left = undefined;
  if (!first || hasGoneOn) return;
  first.focus({ preventScroll: keepsScroll });
  if (!keepsScroll && first.tagName === 'H1') scrollTo(0, 0);
}
