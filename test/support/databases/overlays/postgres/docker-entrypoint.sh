#!/bin/bash
# A double of the official image's entrypoint: the same variables in the same order, and a temporary server that
# listens on its socket only. TEST_INIT_DELAY holds that server open.
set -Eeo pipefail

file_env() {
  local name=$1 file=${1}_FILE value=${2:-}
  if [ -n "${!name:-}" ] && [ -n "${!file:-}" ]; then
    echo "error: both $name and $file are set (but are exclusive)" >&2
    exit 1
  fi
  [ -n "${!name:-}" ] && value=${!name}
  [ -n "${!file:-}" ] && value=$(< "${!file}")
  export "$name=$value"
  unset "$file"
}

sql() { PGHOST= PGHOSTADDR= psql -v ON_ERROR_STOP=1 --no-psqlrc --username "$POSTGRES_USER" --no-password "$@"; }

[ "${1:0:1}" = '-' ] && set -- postgres "$@"
[ "$1" = postgres ] || exec "$@"

# Read as root, before stepping down.
file_env POSTGRES_PASSWORD
file_env POSTGRES_USER postgres
file_env POSTGRES_DB "$POSTGRES_USER"
file_env POSTGRES_INITDB_ARGS
mkdir -p "$PGDATA" /var/run/postgresql
chmod 00700 "$PGDATA" || :
chmod 03775 /var/run/postgresql || :
if [ "$(id -u)" = 0 ]; then
  find "$PGDATA" /var/run/postgresql \! -user postgres -exec chown postgres '{}' +
  exec setpriv --reuid=postgres --regid=postgres --clear-groups -- "${BASH_SOURCE[0]}" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -z "$POSTGRES_PASSWORD" ] && [ "${POSTGRES_HOST_AUTH_METHOD:-}" != trust ]; then
    echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
    exit 1
  fi
  eval 'initdb --username="$POSTGRES_USER" --pwfile=<(printf "%s\n" "$POSTGRES_PASSWORD") '"$POSTGRES_INITDB_ARGS"
  # This build's initdb writes /tmp and localhost; the sample configuration of the official image says otherwise.
  printf "unix_socket_directories = '/var/run/postgresql'\nlisten_addresses = '*'\n" >> "$PGDATA/postgresql.conf"
  method=${POSTGRES_HOST_AUTH_METHOD:-$(postgres -C password_encryption 2>/dev/null)}
  printf '\nhost all all all %s\n' "$method" >> "$PGDATA/pg_hba.conf"
  export PGPASSWORD="${PGPASSWORD:-$POSTGRES_PASSWORD}"
  flags=$([ $# -gt 1 ] && printf '%q ' "${@:2}" || :)
  PGUSER="$POSTGRES_USER" pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -p 5432 $flags" -w start
  if [ -z "$(sql --dbname postgres -v db="$POSTGRES_DB" -tA <<< "SELECT 1 FROM pg_database WHERE datname = :'db';")" ]; then
    sql --dbname postgres -v db="$POSTGRES_DB" <<< 'CREATE DATABASE :"db";'
  fi
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) sql --dbname "$POSTGRES_DB" -f "$file" ;;
    esac
  done
  [ -n "$TEST_INIT_DELAY" ] && sleep "$TEST_INIT_DELAY"
  PGUSER="$POSTGRES_USER" pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD
  printf '\nPostgreSQL init process complete; ready for start up.\n\n'
fi
exec "$@"
