#!/bin/bash
# A double of the official image's entrypoint: the same variables in the same order, and a temporary server without
# network. TEST_INIT_DELAY holds that server open.
set -eo pipefail
data=/var/lib/mysql
socket=/run/mysqld/mysqld.sock

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

query() { mariadb --no-defaults --protocol=socket --socket=$socket -uroot "$@"; }

[ "${1:0:1}" = '-' ] && set -- mariadbd "$@"
[ "$1" = mariadbd ] || exec "$@"

for name in ROOT_HOST ROOT_PASSWORD PASSWORD USER DATABASE; do file_env MARIADB_$name; done
if [ "$(id -u)" = 0 ]; then
  mkdir -p $data /run/mysqld
  find $data /run/mysqld \! -user mysql -exec chown mysql: '{}' +
  exec setpriv --reuid=mysql --regid=mysql --clear-groups -- "${BASH_SOURCE[0]}" "$@"
fi

if [ ! -d $data/mysql ]; then
  if [ -z "$MARIADB_ROOT_PASSWORD" ]; then
    echo '[ERROR] Database is uninitialized and password option is not specified' >&2
    exit 1
  fi
  [ "$MARIADB_USER" = root ] && { echo '[ERROR] MARIADB_USER=root' >&2; exit 1; }
  mariadb-install-db --datadir=$data --auth-root-authentication-method=normal --skip-test-db \
    --default-time-zone=SYSTEM --enforce-storage-engine= --skip-log-bin --expire-logs-days=0 \
    --loose-innodb_buffer_pool_load_at_startup=0 > /dev/null
  "$@" --skip-networking --socket=$socket --pid-file=/run/mysqld/init.pid &
  server=$!
  for _ in $(seq 240); do
    query -e 'SELECT 1' > /dev/null 2>&1 && break
    kill -0 $server || exit 1
    sleep 0.25
  done
  probe=$(head -c 24 /dev/urandom | base64 | tr -dc a-zA-Z0-9)
  {
    echo "CREATE DATABASE IF NOT EXISTS \`$MARIADB_DATABASE\`;"
    echo "CREATE USER '$MARIADB_USER'@'%' IDENTIFIED BY '$MARIADB_PASSWORD';"
    echo "GRANT ALL ON \`${MARIADB_DATABASE//_/\\_}\`.* TO '$MARIADB_USER'@'%';"
    for host in 127.0.0.1 ::1 localhost; do echo "CREATE USER healthcheck@'$host' IDENTIFIED BY '$probe';"; done
    echo "ALTER USER root@localhost IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';"
  } | query
  printf '[mariadb-client]\nport=3306\nsocket=%s\nuser=healthcheck\npassword=%s\n' $socket "$probe" > $data/.my-healthcheck.cnf
  chmod 600 $data/.my-healthcheck.cnf
  [ -n "$TEST_INIT_DELAY" ] && sleep "$TEST_INIT_DELAY"
  kill $server
  wait $server || :
  echo 'MariaDB init process done. Ready for start up.'
fi
unset MARIADB_ROOT_PASSWORD MARIADB_PASSWORD
exec "$@"
