import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** What had the focus on the way, as the page saw it then. */
interface Stop {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether it could be seen that it had the focus. */
  readonly isMarked: boolean;
  readonly isInDialog: boolean;
}

const RECORDER = path.join(__dirname, 'focus-recorder.mjs');
const SKIP = 'a "Skip to the content"';
const MORE_STEPS = 12;
const DIALOG = '[role=dialog]';
/** Roles whose parts are reached by arrow keys. The console has none of them: who adds one adds the keys and a walk. */
const BY_ARROWS = '[role=menu], [role=menubar], [role=tablist], [role=listbox], [role=radiogroup], [role=tree]';

/** Goes through screens as somebody does who has no mouse, and says what would stop them. */
export class KeyboardWalk {
  private constructor(private readonly page: Page) {}

  /** @param page signed in; it is loaded again, once */
  static async start(page: Page): Promise<KeyboardWalk> {
    await page.addInitScript({ path: RECORDER });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    return new KeyboardWalk(page);
  }

  /** From the beginning of the page to its content. @returns what is wrong with the short way */
  async skip(): Promise<string[]> {
    const { page } = this;
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Tab');
    const first = await this.focused();
    await page.keyboard.press('Enter');
    const isThere = await came(page.locator('main:focus'));
    return first === SKIP && isThere
      ? []
      : [`the first step is to ${first}, and from there to ${await this.focused()}`];
  }

  /** Another screen without loading the page again, as by a link. @returns what is wrong with the focus there */
  async goTo(address: string): Promise<string[]> {
    const { page } = this;
    const path = () => page.evaluate<string>('location.pathname');
    const before = await path();
    const jump = `history.pushState({}, '', '/console${address}'); dispatchEvent(new PopStateEvent('popstate'))`;
    await page.evaluate(jump);
    const isThere = before === (await path()) || (await came(page.locator('main :is(h1, h2):focus')));
    await this.loaded();
    return isThere ? [] : [`the focus is not at the heading, but at ${await this.focused()}`];
  }

  /** From its beginning through all of the screen. @returns what is wrong on the way */
  async walk(): Promise<string[]> {
    const { page } = this;
    await this.loaded();
    const count = (await this.reachable('main')).length;
    await page.locator('main').focus();
    await this.clear();
    await this.step(count, 'main');
    const all = await this.stops();
    const end = all.findIndex(({ name }) => name === SKIP);
    const stops = end === -1 ? all : all.slice(0, end);
    const missed = (await this.missed('main')).map((name) => `${name} is not reached`);
    const byArrows = await page.locator(BY_ARROWS).count();
    return [
      ...unmarked(stops),
      ...disorder(stops),
      ...missed,
      ...(byArrows > 0 ? ['something is reached by arrow keys, which nobody has tried'] : []),
    ];
  }

  /** Presses the button, and goes through what it opens. @returns what is wrong on the way, and with the way back */
  async press(name: string | RegExp): Promise<string[]> {
    const { page } = this;
    const button = page.getByRole('button', { name, exact: true }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.locator(DIALOG);
    const isPart = await came(dialog.or(page.locator('main :focus:not(button)')).first(), 1_000);
    if ((await dialog.count()) === 0) return isPart ? this.walk() : [`the focus is at ${await this.focused()}`];
    const findings = await this.walkDialog();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const isBack = await came(button.and(page.locator(':focus')));
    return isBack ? findings : [...findings, `the dialog leaves the focus at ${await this.focused()}`];
  }

  private async walkDialog(): Promise<string[]> {
    const { page } = this;
    const count = (await this.reachable(DIALOG)).length;
    const isInside = await came(page.locator(`${DIALOG}:focus, ${DIALOG} :focus`));
    await this.clear();
    await this.step(count + 1, DIALOG);
    await page.keyboard.press('Shift+Tab');
    const stops = await this.stops();
    return [
      ...(isInside ? [] : ['the focus does not come into the dialog']),
      ...unmarked(stops),
      ...stops.filter(({ isInDialog }) => !isInDialog).map(({ name }) => `${name} is reached outside of the dialog`),
      ...(await this.missed(DIALOG)).map((name) => `${name} is not reached in the dialog`),
    ];
  }

  /** A field for a moment has several parts of its own, which take more steps than there are elements. */
  private async step(count: number, within: string): Promise<void> {
    for (let steps = 0; steps < count; steps++) await this.page.keyboard.press('Tab');
    for (let more = 0; more < MORE_STEPS && (await this.missed(within)).length > 0; more++)
      await this.page.keyboard.press('Tab');
  }

  private loaded = () =>
    this.page
      .getByText(/^Loading .* …$/)
      .first()
      .waitFor({ state: 'detached' });
  private focused = () => this.page.evaluate<string>('focusRecorder.focused()');
  private clear = () => this.page.evaluate('focusRecorder.clear()');
  private stops = () => this.page.evaluate<Stop[]>('focusRecorder.stops');
  private missed = (within: string) => this.page.evaluate<string[]>(`focusRecorder.missed('${within}')`);
  private reachable = (within: string) => this.page.evaluate<string[]>(`focusRecorder.reachable('${within}')`);
}

const came = (element: Locator, timeout = 3_000): Promise<boolean> =>
  element.waitFor({ state: 'attached', timeout }).then(
    () => true,
    () => false,
  );

const unmarked = (stops: readonly Stop[]): string[] =>
  stops.filter(({ isMarked }) => !isMarked).map(({ name }) => `${name} does not show that it has the focus`);

/** A step that leads back: up, and not to the right of where one was. */
const disorder = (stops: readonly Stop[]): string[] =>
  stops
    .slice(1)
    .map((next, index) => [stops[index]!, next] as const)
    .filter(([before, next]) => next.bottom <= before.top && next.left <= before.left)
    .map(([before, next]) => `${next.name} stands above ${before.name}, and comes after it`);
