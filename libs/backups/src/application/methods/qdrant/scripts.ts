/** Folder for the panel's own files: in the volume of the snapshots, but not listed by the server. */
export const FOLDER = '/qdrant/snapshots/.panel';

/** HTTP with bash, because the image has no client. HTTP/1.0 avoids chunks: the answer ends with the connection. */
const REQUEST = `set -u
LC_ALL=C
request() {
  exec 3<>/dev/tcp/127.0.0.1/6333 || exit 7
  printf '%s %s HTTP/1.0\\r\\nHost: localhost\\r\\napi-key: %s\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\nConnection: close\\r\\n\\r\\n%s' \\
    "$1" "$2" "$PANEL_KEY" "\${#3}" "$3" >&3
  status=000 answer=
  read -r _ status _ <&3
  while read -r line <&3 && [ "$line" != $'\\r' ]; do :; done
  answer=$(cat <&3)
  answer=\${answer//$'\\n'/ }
  exec 3>&-
  printf '%s\\t%s\\n' "$status" "$answer"
}
`;

/** Reads one request per line: method, path and body. Prints status and body of each answer, up to the first error. */
export const ASK = `${REQUEST}
while IFS=$'\\t' read -r method path body; do
  request "$method" "$path" "$body"
  [[ $status == 2* ]] || exit 0
done`;

export const ASK_VERSION = `${REQUEST}request GET / ''`;

/**
 * Takes a snapshot of the whole storage and lets the server delete it; a hard link keeps the file. This is one program,
 * which continues even if the worker dies, so that the server is never left with a snapshot nobody removes.
 */
export const TAKE_SNAPSHOT = `${REQUEST}
mkdir -p ${FOLDER} || exit 1
rm -f ${FOLDER}/backup.snapshot
request POST '/snapshots?wait=true' ''
[[ $status == 2* ]] || exit 0
[[ $answer =~ \\"name\\":\\"([^\\"/]+)\\" ]] || exit 8
ln /qdrant/snapshots/"\${BASH_REMATCH[1]}" ${FOLDER}/backup.snapshot || exit 1
request DELETE "/snapshots/\${BASH_REMATCH[1]}?wait=true" ''`;

export const READ_SNAPSHOT = `cat ${FOLDER}/backup.snapshot`;
export const CONTENTS_OF_SNAPSHOT = `tar -xOf ${FOLDER}/backup.snapshot config.json`;
export const DROP_SNAPSHOT = `rm -f ${FOLDER}/backup.snapshot`;

/** Unpacks the snapshot from stdin. `cat` reads what `tar` leaves unread, because the writer has to reach its end. */
export const TAKE_IN = `set -e
rm -rf ${FOLDER}/restore
mkdir -p ${FOLDER}/restore
tar -x --no-same-owner -C ${FOLDER}/restore -f -
cat > /dev/null`;

/** Unpacks the snapshot of the old data, which is kept until the restore has succeeded. */
export const KEEP_BEFORE = `set -e
rm -rf ${FOLDER}/before.new
mkdir ${FOLDER}/before.new
tar -x --no-same-owner -C ${FOLDER}/before.new -f ${FOLDER}/backup.snapshot
rm ${FOLDER}/backup.snapshot
mv ${FOLDER}/before.new ${FOLDER}/before`;

export const CONTENTS_TAKEN_IN = `cat ${FOLDER}/restore/config.json`;
/** Prints nothing when no old data are kept. */
export const CONTENTS_BEFORE = `[ ! -d ${FOLDER}/before ] || cat ${FOLDER}/before/config.json`;

/** Removes all files of a restore. The `mv` comes first: from then on `tidy` no longer puts the old data back. */
export const CLEAR = `set -e
[ ! -d ${FOLDER}/before ] || mv ${FOLDER}/before ${FOLDER}/before.new
rm -rf ${FOLDER}/before.new ${FOLDER}/restore`;
