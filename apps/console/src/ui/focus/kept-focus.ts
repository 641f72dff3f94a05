import { isOnTheWay } from './arrival';

/**
 * Where the focus goes when what had it is removed or disabled: to the heading of the nearest part of the screen that is
 * still there. Without this it would be at the very beginning of the page, and a screen reader would say nothing.
 * @returns stops it
 */
export function keepFocus(screen: HTMLElement): () => void {
  let way: Element[] = [];
  const remember = ({ target }: FocusEvent) => (way = ancestors(target as Element));
  const mend = () => {
    const [last, ...around] = way;
    if (!last || (last.isConnected && !last.matches(':disabled'))) return;
    const { activeElement } = document;
    if (isOnTheWay() || (activeElement !== document.body && activeElement !== last)) return;
    way = [];
    headingAmong(around)?.focus();
  };
  const changes = new MutationObserver(mend);
  changes.observe(screen, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  screen.addEventListener('focusin', remember);
  return () => {
    changes.disconnect();
    screen.removeEventListener('focusin', remember);
  };
}

function ancestors(element: Element): Element[] {
  const way: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) way.push(at);
  return way;
}

/** The heading of the nearest of these parts that is still there, or of the whole screen. */
export function headingAmong(around: readonly Element[]): HTMLElement | null {
  const part = around.find((element) => element.isConnected && element.tagName === 'SECTION');
  return part?.querySelector<HTMLElement>('h2[tabindex]') ?? document.querySelector<HTMLElement>('main h1');
}
