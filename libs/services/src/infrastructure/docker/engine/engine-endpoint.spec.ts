import { inspect } from 'node:util';
import { dockerOptions } from './engine-endpoint.js';

describe('the endpoint of the engine', () => {
  it('is the socket, and does not depend on environment variables', () => {
    expect(dockerOptions('unix:///run/engine.sock')).toMatchObject({
      socketPath: '/run/engine.sock',
      host: undefined,
      port: undefined,
      protocol: 'http',
    });
  });

  it.each([
    ['tcp://engine.example.com:2375', 'engine.example.com', 2375],
    ['tcp://10.0.0.1', '10.0.0.1', 2375],
    ['tcp://[::1]:4243', '[::1]', 4243],
  ])('leads to an address: %s', (given, host, port) => {
    expect(dockerOptions(given)).toMatchObject({ host, port, socketPath: undefined, protocol: 'http' });
  });

  it('is TLS with certificates', () => {
    const tls = { ca: 'ca', cert: 'cert', key: 'key' };
    expect(dockerOptions('tcp://engine.example.com', tls)).toMatchObject({ port: 2376, protocol: 'https', ...tls });
  });

  it.each(['', '/var/run/docker.sock', 'http://engine:2375', 'ssh://engine', 'tcp://'])('refuses %j', (given) => {
    expect(() => dockerOptions(given)).toThrow(RangeError);
  });

  it('has an agent whose debug output is short', () => {
    expect(inspect(dockerOptions('unix:///run/engine.sock').agent, { showHidden: true, depth: null })).toBe('agent');
  });
});
