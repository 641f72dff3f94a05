const sides = {
  partner: ['partners', 'tokens', 'customers', 'billing', 'licensing'],
  panel: ['panel-auth', 'templates', 'services', 'backups', 'analysis', 'automation'],
};
const rightOf = [];
for (const order of Object.values(sides))
  order.forEach((ctx, i) => {
    const right = order.slice(i + 1);
    if (right.length)
      rightOf.push({
        name: `context-order:${ctx}`,
        severity: 'error',
        comment: `${ctx} may not know the contexts downstream of it; declare a port instead`,
        from: { path: `^libs/${ctx}/` },
        to: { path: `^libs/(${right.join('|')})/` },
      });
  });
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'kernel-is-a-leaf',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^libs/kernel/', '^node:', '^(crypto|util|async_hooks|zlib)$'] },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/domain/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^libs/kernel/', '^libs/[^/]+/src/domain/'] },
    },
    {
      name: 'domain-own-context-only',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/domain/' },
      to: { path: '^libs/[^/]+/src/domain/', pathNot: '^libs/$1/' },
    },
    {
      name: 'application-knows-no-infrastructure',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/application/' },
      to: {
        path: '^libs/[^/]+/src/infrastructure/|^apps/|node_modules/(typeorm|bullmq|dockerode|express|@nestjs/(typeorm|bullmq|swagger|platform-[^/]+))(/|$)',
      },
    },
    {
      name: 'context-through-its-index',
      severity: 'error',
      from: { path: '^(libs/([^/]+)|apps/[^/]+)/' },
      to: { path: '^libs/(?!kernel/|platform/)[^/]+/', pathNot: ['^$1/', '^libs/[^/]+/src/(index|testing)\\.ts$'] },
    },
    {
      name: 'platform-below-infrastructure-only',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/(domain|application)/' },
      to: { path: '^libs/platform/' },
    },
    {
      name: 'platform-knows-no-context',
      severity: 'error',
      from: { path: '^libs/platform/' },
      to: { path: '^libs/(?!kernel/|platform/)' },
    },
    { name: 'libs-do-not-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'apps-do-not-import-apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'sides-do-not-meet',
      severity: 'error',
      from: { path: `^libs/(${sides.partner.join('|')})/` },
      to: { path: `^libs/(${sides.panel.join('|')})/` },
    },
    {
      name: 'sides-do-not-meet-back',
      severity: 'error',
      from: { path: `^libs/(${sides.panel.join('|')})/` },
      to: { path: `^libs/(${sides.partner.join('|')})/` },
    },
    {
      name: 'dockerode-in-one-place',
      severity: 'error',
      from: { pathNot: '^libs/services/src/infrastructure/docker/' },
      to: { path: 'node_modules/dockerode' },
    },
    ...rightOf,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.eslint.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
