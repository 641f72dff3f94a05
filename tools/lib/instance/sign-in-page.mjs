import { ACCOUNTS } from './demo-accounts.mjs';

/** The page of the local identity provider: a button per account. It contains nothing from the request. */
export const signInPage = (uid) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Demo sign-in</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 15vh auto; padding: 0 1rem; }
  button { display: block; width: 100%; padding: .75rem; margin: .5rem 0; font: inherit; cursor: pointer; }
</style>
</head>
<body>
<h1>Demo sign-in</h1>
<p>A local identity provider for trying things out. Choose who you are:</p>
${Object.entries(ACCOUNTS).map(button(uid)).join('\n')}
</body>
</html>
`;

const button =
  (uid) =>
  ([id, { name, roles }]) =>
    `<form method="post" action="/sign-in/${encodeURIComponent(uid)}?account=${id}">` +
    `<button name="account" value="${id}">Sign in as ${name} (${roles})</button></form>`;
