import { plan, refusal, refusalOfWeb, webFile } from './planning.js';

const many = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join('\n');

describe('one answer', () => {
  it('names every offending place of the file at once, whatever kind it is', () => {
    const { slug, paths } = refusal(`
services:
  web:
    image: nginx:1
    privileged: true
    ports: ["80:80", "9000:80"]
    volumes: ["/:/host", "data:/data"]
    depends_on: [missing]
    colour: blue
    mem_limit: lots
  db:
    environment: {PASSWORD: }
    network_mode: host
networks:
  shared: {external: true}
`);
    expect(slug).toBe('compose_forbidden');
    expect([...paths].sort()).toEqual(
      [
        '/services/db/image',
        '/services/db/environment/PASSWORD',
        '/services/db/network_mode',
        '/services/web/colour',
        '/services/web/depends_on/0',
        '/services/web/mem_limit',
        '/services/web/ports/0',
        '/services/web/privileged',
        '/services/web/volumes/0',
        '/services/web/volumes/1',
        '/networks/shared/external',
      ].sort(),
    );
  });

  it('escapes pointers as JSON pointers are', () => {
    expect(refusalOfWeb('"a/b~c": 1').paths).toEqual(['/services/web/a~1b~0c']);
  });

  it('never quotes a value of the file', () => {
    const secret = 'hunter2-canary';
    const { violations } = refusalOfWeb(
      `command: "a | ${secret}"\nvolumes: ["/${secret}:/x"]\nimage: "${secret} x"\nextra_hosts: ["${secret}"]\nenvironment: ["${secret}"]\nmem_limit: ${secret}\nprivileged: ${secret}`,
    );
    expect(violations.length).toBeGreaterThanOrEqual(7);
    expect(JSON.stringify(violations)).not.toContain(secret);
  });

  it('lists thousands of places, each of them, in the order of their finding', () => {
    const { slug, violations } = refusalOfWeb(`${many(9800, (i) => `key${i}: 1`)}\nvolumes: ["/:/host"]\npid: host`);
    expect(slug).toBe('compose_forbidden');
    expect(violations.map(({ path }) => path).sort()).toEqual(
      [
        ...Array.from({ length: 9800 }, (_, i) => `/services/web/key${i}`),
        '/services/web/pid',
        '/services/web/volumes/0',
      ].sort(),
    );
  });

  it('names what more than twenty services ask for, and not that they leave each other too little', () => {
    const { violations } = refusal(`services:\n${many(2000, (i) => `  s${i}: {image: "x:1", privileged: true}`)}\n`);
    const paths = violations.map(({ path }) => path);
    expect(paths).toEqual([...Array.from({ length: 2000 }, (_, i) => `/services/s${i}/privileged`), '/services']);
  });

  it('names what a file with too many aliases asks for', () => {
    const { violations } = refusal(
      `x: &x a\nservices: {web: {image: "x:1", pid: host, command: [${'*x,'.repeat(150)}]}}\nnetworks: {n: {external: true}}\n`,
    );
    expect(violations.map(({ path, code }) => `${path} ${code}`)).toEqual([
      '/services/web/command/100 yaml_unreadable',
      '/x unknown_key',
      '/services/web/pid compose_forbidden',
      '/networks/n/external compose_forbidden',
    ]);
  });

  it('names what stands beside and within keys that are given twice or are no texts', () => {
    const { paths } = refusal(
      'services:\n  web: {image: "x:1", pid: host}\n  web: {image: "x:1", ipc: host, command: "a\\0b"}\n  8080: {image: "x:1", uts: host}\nconfigs: {<<: 5}\n',
    );
    expect([...paths].sort()).toEqual(
      [
        ...['/services/web', '/services/web/command', '/services/web/pid', '/services/web/ipc'],
        ...['/services', '/services/8080/uts', '/configs'],
      ].sort(),
    );
  });

  it.each(['', 'version: "1"\n'])('names what the services of the oldest form ask for: %s', (version) => {
    const { slug, paths } = refusal(
      `${version}web:\n  image: x:1\n  privileged: true\n  volumes: ["/:/host"]\n  environment: {A: "\${secret:B}"}\ndb:\n  build: .\n  nett: host\nname: shop\n`,
    );
    expect(slug).toBe('compose_forbidden');
    expect([...paths].sort()).toEqual(
      [
        ...['/services', '/web', '/web/privileged', '/web/volumes/0', '/db', '/db/build', '/db/nett', '/db/image'],
        '/name',
      ].sort(),
    );
  });

  it('does not take a misspelt key at the top for services of the oldest form', () => {
    expect(refusal('service:\n  web:\n    image: x:1\n').paths).toEqual(['/services', '/service']);
  });

  it('stays readable where names of the file fill it', () => {
    const name = 'n'.repeat(200_000);
    const { violations } = refusalOfWeb(`depends_on: [${name}, other]\nimage: "\${${name}} b"`);
    expect(violations.map(({ path }) => path)).toContain('/services/web/depends_on/0');
    expect(Math.max(...violations.map(({ message }) => message.length))).toBe(500);
  });

  it('says once for a text, however many, that its variables are missing', () => {
    const text = (sign: string): string => many(3000, (i) => `\${A${i}${sign}}`).replaceAll('\n', '');
    const { violations } = refusalOfWeb(`command: "${text(':?')}"`);
    expect(violations.map(({ path, code }) => `${path} ${code}`)).toEqual(['/services/web/command variable_missing']);
    const { warnings } = plan(webFile(`command: "a${text('')}"`));
    expect(warnings).toMatchObject([{ path: '/services/web/command', code: 'variable_unset' }]);
    expect(warnings[0]!.message).toMatch(/^The variables A0, A1, A2, A3, A4 and 2995 more were not given/);
  });

  it('names some of the variables that were not given and counts the others', () => {
    const { violations } = refusalOfWeb(`image: "${many(8, (i) => `\$V${i}`).replaceAll('\n', '')} "`);
    expect(violations[0]?.message).toMatch(/V0, V1, V2, V3, V4 and 3 more were not given\.$/);
  });
});
