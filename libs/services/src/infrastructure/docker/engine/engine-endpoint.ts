import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { inspect } from 'node:util';
import type { DockerOptions } from 'dockerode';

/** Certificates for an engine behind TLS, PEM. */
export interface EngineTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

// A new connection for each call, because a kept one may have died with the engine.
const ONE_CALL = { keepAlive: false };

// dockerode formats every request for its debug log, even if the log is off. An agent with its sockets would take more
// than a millisecond.
class PlainAgent extends HttpAgent {
  [inspect.custom](): string {
    return 'agent';
  }
}

class TlsAgent extends HttpsAgent {
  [inspect.custom](): string {
    return 'agent';
  }
}

/** dockerode's own type lacks the agent. */
export type ReachOptions = DockerOptions & { readonly agent: HttpAgent };

/**
 * The options of dockerode to reach an engine. All are set, because it fills missing ones from environment variables.
 * @param host `unix:///var/run/docker.sock` or `tcp://host:port`, as in `DOCKER_HOST`
 * @throws RangeError for another scheme
 */
export function dockerOptions(host: string, tls: EngineTls | null = null): ReachOptions {
  const unset = { host: undefined, port: undefined, socketPath: undefined, ca: undefined, cert: undefined };
  if (host.startsWith('unix://')) {
    const socketPath = host.slice('unix://'.length);
    return { ...unset, socketPath, protocol: 'http', agent: new PlainAgent(ONE_CALL) };
  }
  const url = URL.canParse(host) ? new URL(host) : null;
  if (url?.protocol !== 'tcp:' || url.hostname === '') {
    throw new RangeError('the address of an engine must be unix:///path or tcp://host:port');
  }
  const port = Number(url.port || (tls ? 2376 : 2375));
  const address = { ...unset, host: url.hostname, port, pathPrefix: '/' };
  return tls
    ? { ...address, ...tls, protocol: 'https', agent: new TlsAgent(ONE_CALL) }
    : { ...address, protocol: 'http', agent: new PlainAgent(ONE_CALL) };
}
