#!/bin/sh
# Exit code 0 when the address answers well: what a health check asks.
exec node -e 'fetch(process.argv[1]).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' "$1"
