#!/bin/sh
# In the image the staff CLI is simply `cli <command>`.
exec node --heap-growing-percent=20 /app/dist/apps/cli/src/main.js "$@"
