/** The status of `GET /healthz` must be 200. An open port is not enough. */
export const HEALTH_PROBE =
  'exec 3<>/dev/tcp/127.0.0.1/6333 && printf "GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n" >&3 ' +
  '&& read -r status <&3 && case "$status" in *" 200 "*) exit 0;; *) exit 1;; esac';

/**
 * Prints the answer to `GET $PANEL_PATH` with the key of `$PANEL_KEY`, if there is one; with `$PANEL_FIELD` only that
 * text field of the JSON body. Its arguments hold no key.
 */
export const REQUEST =
  'exec 3<>/dev/tcp/127.0.0.1/6333 || exit 7; ' +
  'header=; [ -n "$PANEL_KEY" ] && printf -v header "api-key: %s\\r\\n" "$PANEL_KEY"; ' +
  'printf "GET %s HTTP/1.1\\r\\nHost: localhost\\r\\n%sConnection: close\\r\\n\\r\\n" "$PANEL_PATH" "$header" >&3; ' +
  'if [ -n "$PANEL_FIELD" ]; then while read -r line <&3 || [ -n "$line" ]; do ' +
  '[[ "$line" =~ \\"$PANEL_FIELD\\":\\"([^\\"]*)\\" ]] && printf "%s\\n" "${BASH_REMATCH[1]}"; done; ' +
  'else cat <&3; fi';
