#!/bin/bash
# A double of the official image's entrypoint: the same variables in the same order, and a temporary server without
# network. TEST_INIT_DELAY holds that server open.
set -eo pipefail
data=/var/lib/mysql
socket=/var/run/mysqld/mysqld.sock

file_env() {
  local name=$1 file=${1}_FILE value=${2:-}
  if [ -n "${!name:-}" ] && [ -n "${!file:-}" ]; then
    echo "[ERROR] Both $name and $file are set (but are exclusive)" >&2
    exit 1
  fi
  [ -n "${!name:-}" ] && value=${!name}
  [ -n "${!file:-}" ] && value=$(< "${!file}")
  export "$name=$value"
  unset "$file"
}

query() { mysql --no-defaults --protocol=socket --socket=$socket -uroot "$@"; }

[ "${1:0:1}" = '-' ] && set -- mysqld "$@"
[ "$1" = mysqld ] || exec "$@"

for name in ROOT_HOST ROOT_PASSWORD PASSWORD USER DATABASE; do file_env MYSQL_$name; done
if [ "$(id -u)" = 0 ]; then
  mkdir -p $data /var/run/mysqld
  find $data /var/run/mysqld \! -user mysql -exec chown mysql: '{}' +
  exec setpriv --reuid=mysql --regid=mysql --clear-groups -- "${BASH_SOURCE[0]}" "$@"
fi
# The official image's configuration says the same: names are not resolved, and the socket is where clients look for it.
set -- "$@" --skip-name-resolve --socket=$socket --secure-file-priv=NULL

if [ ! -d $data/mysql ]; then
  if [ -z "$MYSQL_ROOT_PASSWORD" ]; then
    echo '[ERROR] Database is uninitialized and password option is not specified' >&2
    exit 1
  fi
  [ "$MYSQL_USER" = root ] && { echo '[ERROR] MYSQL_USER=root' >&2; exit 1; }
  mysqld --no-defaults --initialize-insecure --datadir=$data --default-time-zone=SYSTEM --secure-file-priv=NULL
  "$@" --skip-networking --pid-file=/var/run/mysqld/init.pid &
  server=$!
  for _ in $(seq 240); do
    query -e 'SELECT 1' > /dev/null 2>&1 && break
    kill -0 $server || exit 1
    sleep 0.25
  done
  {
    echo "CREATE DATABASE IF NOT EXISTS \`$MYSQL_DATABASE\`;"
    echo "CREATE USER '$MYSQL_USER'@'%' IDENTIFIED BY '$MYSQL_PASSWORD';"
    echo "GRANT ALL ON \`${MYSQL_DATABASE//_/\\_}\`.* TO '$MYSQL_USER'@'%';"
    echo "ALTER USER root@localhost IDENTIFIED BY '$MYSQL_ROOT_PASSWORD';"
  } | query
  [ -n "$TEST_INIT_DELAY" ] && sleep "$TEST_INIT_DELAY"
  kill $server
  wait $server || :
fi
unset MYSQL_ROOT_PASSWORD MYSQL_PASSWORD
exec "$@"
