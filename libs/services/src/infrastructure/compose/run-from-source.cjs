// Lets a worker thread load TypeScript, for tests that run from source: Node 20 cannot by itself. Never part of a build.
const Module = require('node:module');
const fs = require('node:fs');
const { process: transform } = require('../../../../../tools/jest-transform.cjs');

Module._extensions['.ts'] = (module, filename) =>
  module._compile(transform(fs.readFileSync(filename, 'utf8'), filename).code, filename);

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  const isOurs = parent?.filename?.endsWith('.ts') && /^\.{1,2}\/.*\.js$/.test(request);
  return resolve.call(this, isOurs ? request.replace(/\.js$/, '.ts') : request, parent, ...rest);
};
