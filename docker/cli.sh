#!/bin/sh
# Runs the staff CLI in the image: cli <command>
exec node --heap-growing-percent=20 /app/dist/apps/cli/src/main.js "$@"
