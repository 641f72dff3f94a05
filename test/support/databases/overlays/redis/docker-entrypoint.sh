#!/bin/sh
# A double of the official image's entrypoint: steps down to its own user.
set -e
if [ "${1#-}" != "$1" ] || [ "${1%.conf}" != "$1" ]; then set -- redis-server "$@"; fi
if [ "$1" = redis-server ] && [ "$(id -u)" = 0 ]; then
  find . \! -user redis -exec chown redis '{}' +
  exec setpriv --reuid=redis --regid=redis --clear-groups "$0" "$@"
fi
[ "$(umask)" = 0022 ] && umask 0077
exec "$@"
