#!/bin/bash
# A double of the official image's entrypoint: the same variables in the same order, and a temporary server without
# passwords that listens on loopback only. TEST_INIT_DELAY holds that server open.
set -Eeuo pipefail

[ "${1:0:1}" = '-' ] && set -- mongod "$@"
if [[ "$1" == mongo* ]] && [ "$(id -u)" = 0 ]; then
  [ "$1" = mongod ] && find /data/configdb /data/db \! -user mongodb -exec chown mongodb '{}' +
  exec setpriv --reuid=mongodb --regid=mongodb --clear-groups -- "${BASH_SOURCE[0]}" "$@"
fi
[ "$1" = mongod ] || exec "$@"

file=MONGO_INITDB_ROOT_PASSWORD_FILE
[ -n "${!file:-}" ] && export MONGO_INITDB_ROOT_PASSWORD="$(< "${!file}")"
[ -n "${MONGO_INITDB_ROOT_USERNAME:-}" ] && set -- "$@" --auth
if [ -n "${MONGO_INITDB_ROOT_USERNAME:-}" ] && [ ! -e /data/db/storage.bson ]; then
  arguments=()
  for argument in "$@"; do
    case "$argument" in --auth | --bind_ip_all) ;; *) arguments+=("$argument") ;; esac
  done
  "${arguments[@]}" --bind_ip 127.0.0.1 &
  server=$!
  shell=(mongosh --host 127.0.0.1 --port 27017 --quiet)
  until "${shell[@]}" admin --eval 'quit(0)' > /dev/null 2>&1; do sleep 0.1; done
  "${shell[@]}" admin --eval 'db.createUser({
    user: process.env.MONGO_INITDB_ROOT_USERNAME,
    pwd: process.env.MONGO_INITDB_ROOT_PASSWORD,
    roles: [{ role: "root", db: "admin" }],
  })'
  for script in /docker-entrypoint-initdb.d/*.js; do
    [ -e "$script" ] && "${shell[@]}" "$MONGO_INITDB_DATABASE" "$script"
  done
  sleep "${TEST_INIT_DELAY:-0}"
  kill "$server"
  wait "$server" || :
  printf '\nMongoDB init process complete; ready for start up.\n\n'
fi
for name in "${!MONGO_INITDB_@}"; do unset "$name"; done
exec "$@"
