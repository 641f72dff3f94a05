import type { Uuid } from '#kernel/crypto/uuid';
import { TemplateCatalog } from '../../application/template-catalog.js';
import type { Template, TemplateInput } from '../template.js';
import { TEMPLATES } from './index.js';
import { redis } from './redis/index.js';

const input: TemplateInput = { serviceName: 'db', database: 'app', user: 'app', memoryMb: 1024, cpuCores: 1 };

describe('the catalogue', () => {
  const catalog = new TemplateCatalog(TEMPLATES, { registry: 'mirror.example.com:5000/hub' });

  it('has the six databases of the contract', () => {
    const shown = TEMPLATES.map(({ kind, version, defaultPort, minRamMb }) => [kind, version, defaultPort, minRamMb]);
    expect(shown).toEqual([
      ['postgresql', '16', 5432, 256],
      ['mysql', '8.4', 3306, 512],
      ['mariadb', '11', 3306, 512],
      ['mongodb', '7', 27017, 512],
      ['redis', '7', 6379, 128],
      ['qdrant', '1.15.1', 6333, 1024],
    ]);
  });

  it('finds a template by its id, but not by its slug', () => {
    expect(catalog.get(redis.id)).toBe(redis);
    expect(catalog.get('redis' as Uuid)).toBeNull();
    expect(catalog.bySlug('redis')).toBe(redis);
  });

  it('gets all images from the mirror under the same names', () => {
    expect(TEMPLATES.map((template) => catalog.referenceOf(catalog.imageOf(template)))).toContain(
      'mirror.example.com:5000/hub/library/postgres:16-bookworm',
    );
    expect(new TemplateCatalog(TEMPLATES, { registry: null }).referenceOf('qdrant/qdrant:v1.15.1')).toBe(
      'docker.io/qdrant/qdrant:v1.15.1',
    );
  });

  it('accepts a seventh template', () => {
    const valkey: Template = {
      ...redis,
      id: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1007' as Uuid,
      slug: 'valkey',
      kind: 'valkey',
      image: { repository: 'valkey/valkey', tag: '8.1-bookworm', versionVariable: 'VALKEY_VERSION' },
    };
    const larger = new TemplateCatalog([...TEMPLATES, valkey], { registry: null });
    expect(larger.list()).toHaveLength(7);
    expect(larger.composeYaml(valkey, input, larger.imageOf(valkey))).toContain('docker.io/valkey/valkey:8.1-bookworm');
    expect(() => new TemplateCatalog([...TEMPLATES, redis], { registry: null })).toThrow(RangeError);
  });

  it.each(TEMPLATES)(
    '$name publishes no port, has 120 s to stop, and refers to secrets without containing one',
    (template) => {
      const text = catalog.composeYaml(template, input, catalog.imageOf(template));
      expect(text).not.toMatch(/^\s*ports:/m);
      expect(text).toContain('stop_grace_period: 120s');
      expect(text).toContain('${DB_PASSWORD}');
      expect(text).toContain('x-panel: organisation');
      for (const { name } of template.volumes) expect(text).toContain(`- ${name}:/`);
    },
  );

  it.each(TEMPLATES)('$name has no secret in the arguments of a command', (template) => {
    const commands = [
      template.login(input, 'DB_PASSWORD'),
      template.serverVersion(input),
      ...template.checks(input),
      ...(template.changePassword ? [template.changePassword(input)] : []),
    ];
    for (const { command } of commands) expect(command.every((part) => typeof part === 'string')).toBe(true);
  });
});
