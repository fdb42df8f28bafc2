#!/usr/bin/env bash
# A backup while the server runs. SQLite: backup.sh /var/lib/umpire /backups; PostgreSQL: UMPIRE_DATABASE=… backup.sh - /backups
set -euo pipefail
from=$1 to=$2 now=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$to"
if [ -n "${UMPIRE_DATABASE:-}" ]; then
  pg_dump --format=custom --file="$to/umpire-$now.dump" "$UMPIRE_DATABASE"
else
  sqlite3 "$from/tables.sqlite" ".backup '$to/umpire-$now.sqlite'"
fi
