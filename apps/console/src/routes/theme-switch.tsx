import { useEffect, useState } from 'react';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const TITLES: Readonly<Record<Theme, string>> = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' };
const KEY = 'tenantry-theme';

const stored = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';

/** Light, dark, or as the system says. It is the only thing that the console keeps in the browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return (
    <label>
      <span className="sr-only">Theme</span>
      <select
        value={theme}
        onChange={(event) => setTheme(event.target.value as Theme)}
        className="border-line bg-panel min-h-8 rounded-md border px-1 text-xs"
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {TITLES[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
