// Runs in the page. `globalThis.focusRecorder` notes what gets the focus, and how it looks then.
{
  const REACHABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';
  const stops = [];
  let reached = new Set();

  const nameOf = (element) => {
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} "${label.trim().slice(0, 40)}"`;
  };
  const isMarked = (element) =>
    // An editor shows the focus at its frame.
    [element, element.closest('.cm-editor')].some((at) => {
      if (!at) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
    });

  document.addEventListener('focusin', ({ target }) => {
    reached.add(target);
    const { left, top, bottom, width, height } = target.getBoundingClientRect();
    const isShown = width > 1 && height > 1 && bottom > 0 && top < innerHeight;
    const isInDialog = target.closest('[role=dialog]') !== null;
    const place = { left, top: top + scrollY, bottom: bottom + scrollY };
    stops.push({ name: nameOf(target), ...place, isInDialog, isMarked: isShown && isMarked(target) });
  });

  globalThis.focusRecorder = {
    stops,
    clear: () => {
      stops.length = 0;
      reached = new Set();
    },
    /** What can be reached by Tab in there, as names. */
    reachable: (within) => reachable(within).map(nameOf),
    missed: (within) =>
      reachable(within)
        .filter((element) => !reached.has(element))
        .map(nameOf),
    focused: () => nameOf(document.activeElement),
  };

  function reachable(within) {
    return [...document.querySelectorAll(`:is(${within}) :is(${REACHABLE})`)].filter(
      (element) => !element.matches(':disabled, [tabindex="-1"]') && element.checkVisibility(),
    );
  }
}
