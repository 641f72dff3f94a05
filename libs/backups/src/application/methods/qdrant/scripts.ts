/** Where the panel keeps its own files: in the volume of the snapshots, and in no list of the server. */
export const FOLDER = '/qdrant/snapshots/.panel';

/** HTTP by bash: the image has no client. The answer to HTTP/1.0 comes in one piece, and its end is the connection's. */
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

/** Reads requests, one a line: method, path, body. Prints status and body of each answer, up to the first bad one. */
export const ASK = `${REQUEST}
while IFS=$'\\t' read -r method path body; do
  request "$method" "$path" "$body"
  [[ $status == 2* ]] || exit 0
done`;

export const ASK_VERSION = `${REQUEST}request GET / ''`;

/**
 * A snapshot of the whole storage, which the server then forgets: a link keeps the file. All of it is one program, which
 * goes on when the worker dies, so that the next backup finds the file and replaces it.
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

/** What `tar` leaves unread is read too: whoever writes must come to the end. */
export const TAKE_IN = `set -e
rm -rf ${FOLDER}/restore
mkdir -p ${FOLDER}/restore
tar -x --no-same-owner -C ${FOLDER}/restore -f -
cat > /dev/null`;

/** Keeps the snapshot that was taken last until the restore has succeeded. */
export const KEEP_BEFORE = `set -e
rm -rf ${FOLDER}/before.new
mkdir ${FOLDER}/before.new
tar -x --no-same-owner -C ${FOLDER}/before.new -f ${FOLDER}/backup.snapshot
rm ${FOLDER}/backup.snapshot
mv ${FOLDER}/before.new ${FOLDER}/before`;

export const CONTENTS_TAKEN_IN = `cat ${FOLDER}/restore/config.json`;
/** Prints nothing where nothing was replaced. */
export const CONTENTS_BEFORE = `[ ! -d ${FOLDER}/before ] || cat ${FOLDER}/before/config.json`;

/** The old data go first: from here on the new ones count. */
export const CLEAR = `set -e
[ ! -d ${FOLDER}/before ] || mv ${FOLDER}/before ${FOLDER}/before.new
rm -rf ${FOLDER}/before.new ${FOLDER}/restore`;
