import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Why nixpacks cannot be tested here. Null if it can, and always on CI, where a missing program must fail. */
export function nixpacksDefect(): string | null {
  if (process.env.CI === 'true' || spawnSync('which', ['bwrap']).status === 0) return null;
  process.stderr.write('skipped: nixpacks: bwrap is not installed (Debian: bubblewrap)\n');
  return 'bwrap is not installed';
}

export interface NixpacksStandIn {
  /** A value for `NIXPACKS_PATH`, including the folders of the system's programs. */
  readonly searchPath: string;
  remove(): void;
}

/**
 * A replacement for nixpacks, which no package source here has. It has the same command line (`plan`, `build --out`),
 * writes files to `.nixpacks` and creates a similar Dockerfile, for repositories with a package.json. If there is a
 * `probe.sh`, it runs it, as if a repository could make nixpacks run something.
 * @param base the base image of its Dockerfiles
 */
export function makeNixpacksStandIn(base: string): NixpacksStandIn {
  const folder = mkdtempSync(path.join(tmpdir(), 'test-nixpacks-'));
  const program = path.join(folder, 'nixpacks');
  writeFileSync(program, script(base));
  chmodSync(program, 0o755);
  return {
    searchPath: `${folder}:/usr/bin:/bin`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const script = (base: string) => `#!/bin/sh
set -e
command=$1 source=$2 out= names=CI variables='"CI":"true"'
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    --env) names="$names \${2%%=*}" variables="$variables,\\"\${2%%=*}\\":\\"\${2#*=}\\""; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --format) shift 2 ;;
    --no-cache) shift ;;
    *) echo "error: unexpected argument '$1' found" >&2; exit 2 ;;
  esac
done
[ -f "$source/package.json" ] || { echo 'Nixpacks was unable to generate a build plan for this app.' >&2; exit 1; }
if [ "$command" = plan ]; then
  printf '{"providers":[],"buildImage":"${base}","variables":{%s},"start":{"cmd":"httpd"}}' "$variables"
  exit
fi
mkdir -p "$out/.nixpacks/assets"
echo '{ }: { }' > "$out/.nixpacks/nixpkgs-test.nix"
if [ -f "$source/probe.sh" ]; then sh "$source/probe.sh" > "$out/.nixpacks/assets/probe" 2>&1 || true; fi
environment=
for name in $names; do environment="$environment $name=\\$$name"; done
cat > "$out/.nixpacks/Dockerfile" <<END
FROM ${base}

ENTRYPOINT ["/bin/sh", "-l", "-c"]
WORKDIR /app/

COPY .nixpacks/nixpkgs-test.nix .nixpacks/nixpkgs-test.nix
RUN test -s .nixpacks/nixpkgs-test.nix

ARG $names
ENV$environment

# build phase
COPY . /app/.
RUN --mount=type=cache,id=key-/root/npm,target=/root/.npm echo "built \\$GREETING" > /app/index.html

# start
COPY . /app
CMD ["exec httpd -f -p 8080 -h /app"]
END
echo "Saved output to: $out"
`;
