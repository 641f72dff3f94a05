// Jest on Node 20 cannot require() ES modules. Everything is run as CommonJS: our TypeScript (with decorator metadata)
// and those node_modules files that are ES modules. CommonJS files of node_modules pass through untouched.
const { transformSync } = require('@swc/core');
const { createHash } = require('node:crypto');
const fs = require('node:fs'),
  path = require('node:path');
const types = new Map();
function isEsmPackage(dir) {
  if (types.has(dir)) return types.get(dir);
  const p = path.join(dir, 'package.json');
  let r;
  if (fs.existsSync(p)) {
    try {
      r = JSON.parse(fs.readFileSync(p, 'utf8')).type === 'module';
    } catch {
      r = false;
    }
  } else r = path.dirname(dir) === dir ? false : isEsmPackage(path.dirname(dir));
  types.set(dir, r);
  return r;
}
const isEsm = (f) => f.endsWith('.mjs') || (!f.endsWith('.cjs') && isEsmPackage(path.dirname(f)));
const swcVersion = require('@swc/core/package.json').version;
module.exports = {
  canInstrument: false,
  getCacheKey: (src, f, o) =>
    createHash('sha1')
      .update(src)
      .update('\0' + f + '\0' + swcVersion + '\0v3' + o.instrument)
      .digest('hex'),
  process(src, f) {
    const ts = /\.[cm]?ts$/.test(f);
    if (!ts && !isEsm(f)) return { code: src };
    return transformSync(src, {
      filename: f,
      swcrc: false,
      configFile: false,
      sourceMaps: 'inline',
      inlineSourcesContent: true,
      jsc: {
        target: 'es2022',
        keepClassNames: true,
        parser: ts ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' },
        transform: ts
          ? { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true, hidden: { jest: true } }
          : undefined,
        experimental: { keepImportAttributes: false },
      },
      module: { type: 'commonjs', ignoreDynamic: false, importInterop: 'swc' },
    });
  },
};
