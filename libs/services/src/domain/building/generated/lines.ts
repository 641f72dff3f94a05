/** The user and group of the program. The numbers mean no particular account; they are only not root. */
export const USER = '1000:1000';

export function run(commands: readonly string[]): readonly string[] {
  return commands.map((command) => `RUN ${command}`);
}

export function copyManifests(manifests: readonly string[]): readonly string[] {
  return manifests.length > 0 ? [`COPY ${manifests.join(' ')} ./`] : [];
}

export function installSystemPackages(packages: readonly string[]): readonly string[] {
  if (packages.length === 0) return [];
  const list = [...new Set(packages)].join(' ');
  return [`RUN apt-get update && apt-get install -y --no-install-recommends ${list} && rm -rf /var/lib/apt/lists/*`];
}

/** CMD in exec form. A command that needs a shell, for instance for `$PORT`, is run by `sh`, which it replaces. */
export function command(line: string): string {
  const isPlain = /^[\w@%+=:,./ -]+$/.test(line) && !/^\w+=/.test(line);
  const words = isPlain
    ? line.trim().split(/ +/)
    : ['sh', '-c', /^[\w./-]+(?: |$)/.test(line) && !/[;&|]/.test(line) ? `exec ${line}` : line];
  return `CMD ${JSON.stringify(words)}`;
}

export function listen(port: number): readonly string[] {
  return [`ENV PORT=${port} HOST=0.0.0.0`, `EXPOSE ${port}`];
}
