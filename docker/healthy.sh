#!/bin/sh
# For health checks: exits with 0 if the URL answers with a status of 2xx, otherwise with 1.
exec node -e 'fetch(process.argv[1]).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' "$1"
