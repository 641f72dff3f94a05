import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { MARK, SCRIPT, STYLES } from './reference-files.js';

export interface ReferencePage {
  /** Its path, such as `docs`. */
  readonly path: string;
  readonly title: string;
  /** The path of the document that it shows. */
  readonly json: string;
  readonly yaml: string;
}

/** Read from the package on the first request, then cached. */
const FROM_SWAGGER: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
const OWN: Readonly<Record<string, { type: string; text: string }>> = {
  'reference.css': { type: 'text/css; charset=utf-8', text: STYLES },
  'reference.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT },
  'mark.svg': { type: 'image/svg+xml', text: MARK },
};

/**
 * The API reference: Swagger UI in our own page, with a title, a logo, and styles for phones and dark themes. All files
 * come from this server, and the page has no inline script or style.
 */
export function serveReference(fastify: FastifyInstance, page: ReferencePage): void {
  const base = `/${page.path}`;
  const html = pageOf(page, base);
  fastify.get(base, (_request, reply) => reply.type('text/html; charset=utf-8').send(html));
  fastify.get(`${base}/`, (_request, reply) => reply.redirect(base, 308));
  for (const [name, { type, text }] of Object.entries(OWN))
    fastify.get(`${base}/${name}`, (_request, reply) => reply.type(type).send(text));
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(FROM_SWAGGER)) {
    let content: Promise<Buffer> | null = null;
    fastify.get(`${base}/${name}`, async (_request, reply) => {
      content ??= readFile(path.join(folder, name));
      return reply.type(type).send(await content);
    });
  }
}

/** Title and paths are constants, so nothing needs escaping. */
const pageOf = ({ title, json, yaml }: ReferencePage, base: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${base}/mark.svg">
<link rel="stylesheet" href="${base}/swagger-ui.css">
<link rel="stylesheet" href="${base}/reference.css">
</head>
<body>
<header>
<img src="${base}/mark.svg" alt="" width="28" height="28"><strong>Tenantry</strong>
<nav><a href="${yaml}">OpenAPI as YAML</a><a href="${json}">as JSON</a></nav>
</header>
<main id="reference" data-document="${json}"><noscript>The reference needs JavaScript; <a href="${yaml}">the
document</a> does not.</noscript></main>
<script src="${base}/swagger-ui-bundle.js"></script>
<script src="${base}/reference.js"></script>
</body>
</html>
`;
