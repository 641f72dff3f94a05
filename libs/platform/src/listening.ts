import { StartRefused } from './start-refused.js';

const NOT_OUR_ADDRESS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL']);

/**
 * Listens at LISTEN_HOST.
 * @throws StartRefused if that is not an address of this machine
 */
export async function listening<T>(host: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as { code?: string };
    if (!code || !NOT_OUR_ADDRESS.has(code)) throw error;
    throw new StartRefused(`LISTEN_HOST: ${host} is not an address of this machine.`);
  }
}
