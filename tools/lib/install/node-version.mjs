/**
 * Imported first by every tool for its side effect: an old Node ends here with one clear line, not later with a syntax
 * error.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`this needs Node 20.19 or newer, and this is ${process.version}: install a newer Node\n`);
  process.exit(1);
}
