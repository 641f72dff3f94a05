const DURATION_MS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000_001 } as const;
const DURATION_PART = /(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/y;
const SIZE = /^(\d+(?:\.\d+)?) ?([kmgt]?)(?:i?b)?$/i;
const SIZE_STEP = 1024;

/** Milliseconds of a Go duration such as `1m30s` or `500ms`, rounded. Null if it is not a duration. */
export function parseDurationMs(text: string): number | null {
  if (text === '0') return 0;
  let total = 0;
  let position = 0;
  while (position < text.length) {
    DURATION_PART.lastIndex = position;
    const part = DURATION_PART.exec(text);
    if (!part) return null;
    total += Number(part[1]) * DURATION_MS[part[2] as keyof typeof DURATION_MS];
    position += part[0].length;
  }
  return text === '' ? null : Math.round(total);
}

/** Bytes of a size such as `512m`, `1gb`, `64MiB` or `1024`. All units are powers of 1024. Null if it is not a size. */
export function parseByteSize(text: string | number): number | null {
  const parts = SIZE.exec(String(text));
  if (!parts) return null;
  const power = 'kmgt'.indexOf((parts[2] ?? '').toLowerCase() || ' ') + 1;
  const bytes = Math.floor(Number(parts[1]) * SIZE_STEP ** power);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Permission bits from three or four octal digits: `0444`, `444` or `0o444`. Null if it is something else. */
export function parseFileMode(text: string): number | null {
  const digits = /^(?:0o?)?([0-7]{3,4})$/.exec(text)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 8);
}

export const MEBIBYTE = SIZE_STEP ** 2;
