/** A program with a web framework, two databases and settings. */
export const SHOP = {
  'package.json': JSON.stringify({
    name: 'shop',
    scripts: { start: 'node server.js' },
    dependencies: { express: '4', pg: '8', ioredis: '5' },
  }).replaceAll(',', ',\n'),
  'server.js': "require('express')().listen(process.env.PORT || 3000);\n",
  '.env.example':
    '# Where the data is\nDATABASE_URL=postgres://user:pw@localhost/shop\nCOLOUR=green\nSESSION_SECRET=\n',
  'README.md': '# The shop\nSells things.\nSet FEATURE_FLAG to on.\n',
};
/** A model's answer about it, with one variable that is in no file. */
export const ANSWER = {
  summary: 'A web shop that keeps its orders in PostgreSQL.',
  port: 3000,
  health_path: '/healthz',
  volumes: ['/app/uploads'],
  env_vars: [
    {
      name: 'FEATURE_FLAG',
      required: false,
      secret: false,
      default: 'on',
      description: 'Turns things on.',
      evidence: 'README.md:3',
    },
    {
      name: 'INVENTED',
      required: true,
      secret: false,
      default: null,
      description: null,
      evidence: 'README.md:1',
    },
  ],
};
