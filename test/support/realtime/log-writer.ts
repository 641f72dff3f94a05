import { runInside } from '../docker/container-log.js';

/** Writes lines when a file tells it to. The file contains the number of lines and the pause between them. */
const WRITER = `
n=0
while true; do
  if [ -f /tmp/go ]; then
    read count pause < /tmp/go
    busybox rm /tmp/go
    end=$$((n + count))
    while [ $$n -lt $$end ]; do
      n=$$((n + 1))
      echo "line $$n <script>alert(1)</script>"
      [ $$((n % 10)) -eq 0 ] && echo "warning $$n" >&2
      [ "$$pause" = 0 ] || sleep $$pause
    done
  fi
  sleep 0.02
done`;

/** A compose file with containers that write numbered lines on `writeLines`, with a warning after every tenth. */
export function writers(image: string, names: readonly string[]): string {
  const service = `{image: '${image}', init: true, command: ['sh', '-c', ${JSON.stringify(WRITER)}]}`;
  return `services:\n${names.map((name) => `  ${name}: ${service}\n`).join('')}`;
}

/** @param pause seconds between two lines */
export function writeLines(containerId: string, count: number, pause = 0): Promise<void> {
  return runInside(containerId, 'sh', '-c', `echo ${count} ${pause} > /tmp/going && busybox mv /tmp/going /tmp/go`);
}
