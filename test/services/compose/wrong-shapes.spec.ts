import { refusalOfWeb } from './planning.js';

const REST = 'volumes: {data: }\nnetworks: {front: , back: }\nsecrets: {key: {content: s}}\n';

describe('a value of the wrong shape', () => {
  it.each([
    ['image: 5', '/services/web/image'],
    ['command: {a: b}', '/services/web/command'],
    ['command: "a | b"', '/services/web/command'],
    ['command: "a \\"b"', '/services/web/command'],
    ['environment: {A: [b]}', '/services/web/environment/A'],
    ['environment: [A=1, A=2]', '/services/web/environment/1'],
    ['environment: ["${A}=b"]', '/services/web/environment/0'],
    ['restart: sometimes', '/services/web/restart'],
    ['restart: false', '/services/web/restart'],
    ['init: yes', '/services/web/init'],
    ['mem_limit: 5x', '/services/web/mem_limit'],
    ['mem_limit: 1g\ndeploy: {resources: {limits: {memory: 2g}}}', '/services/web/mem_limit'],
    ['cpus: 1\ndeploy: {resources: {limits: {cpus: "2"}}}', '/services/web/cpus'],
    ['stop_grace_period: 90', '/services/web/stop_grace_period'],
    ['healthcheck: {test: [curl, x]}', '/services/web/healthcheck/test'],
    ['healthcheck: {interval: soon}', '/services/web/healthcheck/interval'],
    ['healthcheck: {retries: 1.5}', '/services/web/healthcheck/retries'],
    ['expose: [3000-4000]', '/services/web/expose/0'],
    ['expose: [4000-3000]', '/services/web/expose/0'],
    ['extra_hosts: [a]', '/services/web/extra_hosts/0'],
    ['dns: resolver.example', '/services/web/dns'],
    ['ulimits: {nofile: {soft: 10, hard: 5}}', '/services/web/ulimits/nofile'],
    ['volumes: ["data:/a", "data:/a/"]', '/services/web/volumes/1'],
    ['volumes: ["data:a"]', '/services/web/volumes/0'],
    ['networks: [front, front]', '/services/web/networks/1'],
    ['secrets: [nothing]', '/services/web/secrets/0'],
    ['secrets: [{source: key, mode: 444}]', '/services/web/secrets/0/mode'],
    ['user: "a b"', '/services/web/user'],
    ['hostname: a_b', '/services/web/hostname'],
    ['working_dir: app', '/services/web/working_dir'],
    ['labels: {a: {b: c}}', '/services/web/labels/a'],
  ])('is refused with its pointer: %s', (keys, path) => {
    const { slug, paths } = refusalOfWeb(keys, {}, REST);
    expect({ slug, paths }).toEqual({ slug: 'validation_failed', paths: [path] });
  });
});
