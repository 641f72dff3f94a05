#!/bin/sh
# In the image the staff CLI is simply `cli <command>`.
exec node /app/dist/apps/cli/src/main.js "$@"
