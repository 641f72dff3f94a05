import { register } from 'node:module';

// The conformance program imports `globSync`, for commands that we do not use. Node 20 does not have it and could not
// load the program.
const SHIM = `data:text/javascript,export * from 'node:fs'; export const globSync = () => [];`;
const HOOKS = `
export function resolve(specifier, context, next) {
  const isTheirs = context.parentURL?.includes('@modelcontextprotocol/conformance');
  if (isTheirs && specifier === 'fs') return { url: ${JSON.stringify(SHIM)}, format: 'module', shortCircuit: true };
  return next(specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
