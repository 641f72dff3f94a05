const TIMES = 5;
const FRAMES = 90;
const PIXELS = 40;

/**
 * What the first visit of somebody takes who has nothing of the console in the browser's cache.
 * @param newContext makes a signed-in browser context with an empty cache
 * @returns {Promise<{ scriptKb: number, ms: number }>} compressed script, and the median time until the services are shown
 */
export async function firstLoad(newContext, url) {
  const visits = [];
  for (let time = 0; time < TIMES; time++) {
    const context = await newContext();
    const page = await context.newPage();
    const scripts = [];
    page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response));
    const since = performance.now();
    await page.goto(url);
    await page.getByRole('table', { name: 'Services' }).waitFor();
    const ms = performance.now() - since;
    const sizes = await Promise.all(scripts.map(async (script) => Number(await script.headerValue('content-length'))));
    visits.push({ ms: Math.round(ms), scriptKb: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024) });
    await context.close();
  }
  return visits.sort((a, b) => a.ms - b.ms)[Math.floor(TIMES / 2)];
}

/** Scrolls down a page. @returns {Promise<number>} the time of a frame, in milliseconds; three of ninety took longer */
export async function scrolling(newContext, url) {
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('table', { name: 'Services' }).waitFor();
  const frames = await page.evaluate(
    ([count, pixels]) =>
      new Promise((resolve) => {
        const times = [];
        const step = (now) => {
          times.push(now);
          scrollBy(0, pixels);
          if (times.length <= count) requestAnimationFrame(step);
          else resolve(times.slice(1).map((time, index) => time - times[index]));
        };
        requestAnimationFrame(step);
      }),
    [FRAMES, PIXELS],
  );
  await context.close();
  return Math.round(frames.sort((a, b) => a - b)[frames.length - 4]);
}
