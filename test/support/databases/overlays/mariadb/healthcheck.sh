#!/bin/bash
# --connect: any answer by TCP, "access denied" included; --innodb_initialized: asks the server.
client="mariadb --defaults-file=/var/lib/mysql/.my-healthcheck.cnf --protocol tcp -h 127.0.0.1 --skip-column-names -s"
engines="select 1 from information_schema.ENGINES WHERE engine = 'innodb' AND support IN ('YES', 'DEFAULT', 'ENABLED')"
for argument; do
  case $argument in
    --connect) $client -e 'select 1' > /dev/null 2> /tmp/healthcheck || grep -q 'Access denied' /tmp/healthcheck || exit 1 ;;
    --innodb_initialized) [ "$($client -e "$engines")" = 1 ] || exit 1 ;;
  esac
done
