#!/bin/sh
# Creates missing files in secrets/: passwords, the master key and a metrics token. Idempotent: existing files are not changed.
# Store a copy of secrets/master-key off-site, away from this machine and its backups.
set -eu
cd "$(dirname "$0")/secrets"
umask 077

make() {
  # Ends with a line break, because the next master key is appended.
  [ -e "$1" ] || { openssl rand "-$2" 32 > "$1"; echo "made secrets/$1"; }
}

make postgres-password hex
make database-password hex
make master-key base64
make metrics-token hex
[ -e database-url ] || printf 'postgres://tributary:%s@postgres:5432/tributary?sslmode=disable' "$(cat database-password)" > database-url
if [ ! -e smtp-url ]; then
  printf 'smtps://user:password@smtp.example.com:465' > smtp-url
  echo 'Write the address of your mail server into secrets/smtp-url.'
fi

# Only the image's account can read them, through its group.
if [ "$(id -u)" = 0 ]; then
  chown root:65532 -- postgres-password database-password database-url master-key smtp-url metrics-token
  chmod 440 -- postgres-password database-password database-url master-key smtp-url metrics-token
else
  echo 'Run this once more as root, which gives the files to the group 65532: only the account of the containers then reads them.'
fi
