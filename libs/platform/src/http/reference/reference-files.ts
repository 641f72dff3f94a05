/** The logo of the product, in a colour that suits both themes. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="Tenantry">
<rect x="2" y="2" width="28" height="28" rx="7" fill="#2f6f5e"/>
<path d="M8 9h16v4h-6v12h-4V13H8z" fill="#fff"/></svg>
`;

/** Starts Swagger UI with this server's document, in the theme of the reader's system. */
export const SCRIPT = `const theme = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', theme.matches);
follow();
theme.addEventListener('change', follow);
const place = document.getElementById('reference');
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Additions to Swagger UI's styles: a page header, tables and paths that fit a phone, and a dark theme. */
export const STYLES = `:root { color-scheme: light dark; }
html { box-sizing: border-box; -webkit-text-size-adjust: 100%; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fff; color: #1f2a27; font-family: system-ui, sans-serif; }
body > header { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; padding: .75rem 20px;
  max-width: 1460px; margin: 0 auto; }
body > header img { display: block; }
body > header strong { font-size: 1.1rem; }
body > header nav { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin-left: auto; }
body > header a { color: #1d5c4c; }
.swagger-ui .info { margin: 1rem 0; }
.swagger-ui .info .title small { vertical-align: middle; }
.swagger-ui .info .link, .swagger-ui .info .info__license, .swagger-ui .info .info__contact { display: none; }
.swagger-ui :is(.markdown, .renderedMarkdown) pre { overflow-x: auto; white-space: pre; }
.swagger-ui :is(.markdown, .renderedMarkdown) pre > code { white-space: pre; word-break: normal; }
.swagger-ui :is(.markdown, .renderedMarkdown) table { display: block; max-height: 24rem; overflow: auto; border: 1px solid #8884; }
.swagger-ui :is(.markdown, .renderedMarkdown) td { vertical-align: top; padding: .35rem .6rem; }
.swagger-ui :is(.markdown, .renderedMarkdown) th { padding: .35rem .6rem; }
.swagger-ui :is(.markdown, .renderedMarkdown) pre > code { font-weight: 400; color: inherit; }
.swagger-ui .scheme-container { padding: .75rem 0; margin: 0 0 1rem; box-shadow: none; }
.swagger-ui .opblock .opblock-summary-path { overflow-wrap: anywhere; }
html.dark-mode body { background: #161a1d; color: #e4e6e6; }
html.dark-mode body > header a { color: #8fd0bc; }
html.dark-mode .swagger-ui .scheme-container { background: transparent; }
@media (max-width: 640px) {
  body > header nav { margin-left: 0; }
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info .title { font-size: 1.5rem; overflow-wrap: anywhere; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 1.15rem; padding: 10px 0; }
  .swagger-ui .opblock-tag small { flex: 1 1 100%; order: 3; padding: 0; }
  .swagger-ui small { min-width: 0; max-width: 100%; white-space: normal; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px; font-size: 12px; padding: 5px 0; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100% - 80px); font-size: 13px; }
  .swagger-ui .opblock .opblock-summary-description { flex: 1 1 100%; padding: 4px 10px; }
  .swagger-ui .opblock-body, .swagger-ui .responses-inner { overflow-x: auto; }
  .swagger-ui table.parameters, .swagger-ui table.responses-table { table-layout: auto; }
  .swagger-ui table.parameters > thead, .swagger-ui table.responses-table > thead { display: none; }
  .swagger-ui :is(table.parameters, table.responses-table),
  .swagger-ui :is(table.parameters, table.responses-table) > tbody,
  .swagger-ui :is(table.parameters, table.responses-table) > tbody > tr,
  .swagger-ui :is(table.parameters, table.responses-table) > tbody > tr > td { display: block; width: 100%;
    min-width: 0; max-width: 100%; padding-left: 0; padding-right: 0; }
  .swagger-ui .parameters-col_description :is(input, select, textarea) { width: 100%; max-width: 100%; }
  .swagger-ui td.response-col_links { display: none; }
}
`;
