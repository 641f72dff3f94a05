import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');

/** One planted violation per rule: the file that breaks it and what it imports. */
const VIOLATIONS: Record<string, [file: string, source: string]> = {
  'no-unresolved': ['libs/tokens/src/application/lost.ts', "import './nowhere.js';"],
  'kernel-is-a-leaf': ['libs/kernel/src/leaning.ts', "import '../../partners/src/index.js';"],
  'domain-is-pure': ['libs/tokens/src/domain/impure.ts', "import 'typeorm';"],
  'domain-own-context-only': ['libs/tokens/src/domain/nosy.ts', "import '../../../partners/src/domain/partner.js';"],
  'application-knows-no-infrastructure': [
    'libs/tokens/src/application/deep.ts',
    "import '../infrastructure/token.row.js';",
  ],
  'context-through-its-index': ['apps/cli/src/burglar.ts', "import '../../../libs/tokens/src/application/tokens.js';"],
  'platform-below-infrastructure-only': [
    'libs/tokens/src/application/plumbing.ts',
    "import '../../../platform/src/problem.js';",
  ],
  'platform-knows-no-context': ['libs/platform/src/knowing.ts', "import '../../partners/src/index.js';"],
  'libs-do-not-import-apps': ['libs/tokens/src/infrastructure/upside.ts', "import '../../../../apps/cli/src/main.js';"],
  'apps-do-not-import-apps': ['apps/cli/src/neighbour.ts', "import '../../worker/src/main.js';"],
  'sides-do-not-meet': ['libs/partners/src/infrastructure/across.ts', "import '../../../panel-auth/src/index.js';"],
  'sides-do-not-meet-back': [
    'libs/panel-auth/src/infrastructure/across.ts',
    "import '../../../partners/src/index.js';",
  ],
  'dockerode-in-one-place': ['libs/services/src/infrastructure/elsewhere.ts', "import 'dockerode';"],
  'context-order:partners': [
    'libs/partners/src/infrastructure/downstream.ts',
    "import '../../../tokens/src/index.js';",
  ],
  'context-order:tokens': ['libs/tokens/src/infrastructure/downstream.ts', "import '../../../customers/src/index.js';"],
  'context-order:customers': [
    'libs/customers/src/infrastructure/downstream.ts',
    "import '../../../billing/src/index.js';",
  ],
  'context-order:billing': [
    'libs/billing/src/infrastructure/downstream.ts',
    "import '../../../licensing/src/index.js';",
  ],
  'context-order:panel-auth': [
    'libs/panel-auth/src/infrastructure/downstream.ts',
    "import '../../../services/src/index.js';",
  ],
  'context-order:templates': [
    'libs/templates/src/infrastructure/downstream.ts',
    "import '../../../services/src/index.js';",
  ],
  'context-order:services': [
    'libs/services/src/infrastructure/downstream.ts',
    "import '../../../analysis/src/index.js';",
  ],
  'context-order:backups': [
    'libs/backups/src/infrastructure/downstream.ts',
    "import '../../../analysis/src/index.js';",
  ],
  'context-order:analysis': [
    'libs/analysis/src/infrastructure/downstream.ts',
    "import '../../../automation/src/index.js';",
  ],
};

const INNOCENT = [
  ...[
    'partners',
    'tokens',
    'customers',
    'billing',
    'licensing',
    'panel-auth',
    'services',
    'templates',
    'backups',
    'analysis',
    'automation',
  ].map((context) => `libs/${context}/src/index.ts`),
  'libs/partners/src/domain/partner.ts',
  'libs/tokens/src/application/tokens.ts',
  'libs/tokens/src/infrastructure/token.row.ts',
  'libs/platform/src/problem.ts',
  'apps/cli/src/main.ts',
  'apps/worker/src/main.ts',
];

interface Finding {
  rule: { name: string };
  from: string;
}

describe('import rules', () => {
  let project: string;
  let findings: Finding[];

  beforeAll(async () => {
    project = mkdtempSync(path.join(tmpdir(), 'tenantry-rules-'));
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), text);
    };
    write('package.json', '{"type":"module"}');
    write('tsconfig.eslint.json', '{"compilerOptions":{"module":"nodenext","moduleResolution":"nodenext"}}');
    for (const file of INNOCENT) write(file, 'export const nothing = 0;\n');
    for (const [file, source] of Object.values(VIOLATIONS)) write(file, `${source}\nexport {};\n`);
    write('libs/tokens/src/application/chicken.ts', "import './egg.js';\nexport {};\n");
    write('libs/tokens/src/application/egg.ts', "import './chicken.js';\nexport {};\n");
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
    const { stdout } = await run(
      process.execPath,
      [
        path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        '--config',
        path.join(ROOT, '.dependency-cruiser.cjs'),
        '--output-type',
        'json',
        'apps',
        'libs',
      ],
      { cwd: project, maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: { stdout: string }) => error);
    findings = (JSON.parse(stdout) as { summary: { violations: Finding[] } }).summary.violations;
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it.each(Object.entries(VIOLATIONS))('%s fires', (rule, [file]) => {
    expect(findings.filter((finding) => finding.rule.name === rule).map((finding) => finding.from)).toContain(file);
  });

  it('no-cycles fires', () => {
    expect(findings.map((finding) => finding.rule.name)).toContain('no-cycles');
  });

  it('every rule has its planted violation', async () => {
    const { default: config } = (await import(path.join(ROOT, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const rules = config.forbidden.map((rule) => rule.name).sort();
    expect([...Object.keys(VIOLATIONS), 'no-cycles'].sort()).toEqual(rules);
  });
});
