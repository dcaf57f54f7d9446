/**
 * PostgreSQL's COPY text format, in which every batch travels: a tab between values, a newline after each row, `\N` for null.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
import { Fault } from '../ports/faults.ts'

const newline = 10
const special = /[\0\\\t\n\r]/
const allSpecial = /[\0\\\t\n\r]/g
/** U+0000 has no place in any target's text, so it is left out. */
const written: Readonly<Record<string, string>> = { '\0': '', '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = /\\(.)/gs
/** What PostgreSQL itself writes; any other character after a backslash stands for itself. */
const meant: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** One value as it stands between two tabs. */
export function escapeField(value: string): string {
  return special.test(value) ? value.replace(allSpecial, (found) => written[found] ?? found) : value
}

/** One row with its newline; null stands for null. */
export function encodeRow(fields: readonly (string | null)[]): string {
  let line = ''
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? null
    const text = field === null ? '\\N' : escapeField(field)
    line = at === 0 ? text : `${line}\t${text}`
  }
  return `${line}\n`
}

/** Rows as the bytes of a batch. */
export function encodeRows(rows: readonly (readonly (string | null)[])[]): Uint8Array {
  return Buffer.from(rows.map(encodeRow).join(''), 'utf8')
}

/** The rows of bytes that end with a row's newline (see `joinRows` for those that may not). */
export function decodeRows(bytes: Uint8Array): (string | null)[][] {
  return toRows(asBuffer(bytes).toString('utf8'))
}

function toRows(text: string): (string | null)[][] {
  const lines = text.split('\n')
  lines.pop()
  return lines.map(decodeRow)
}

/** The same, so many rows at a time. */
export function* decodeSome(bytes: Uint8Array, rowsMax: number): Generator<(string | null)[][]> {
  for (const text of decodeTexts(bytes, rowsMax)) yield toRows(text)
}

/** The text of so many rows at a time. */
export function* decodeTexts(bytes: Uint8Array, rowsMax: number): Generator<string> {
  const buffer = asBuffer(bytes)
  for (let start = 0; start < buffer.length;) {
    let end = start
    for (let rows = 0; rows < rowsMax && end < buffer.length; rows++)
      end = buffer.indexOf(newline, end) + 1 || buffer.length
    yield buffer.toString('utf8', start, end)
    start = end
  }
}

/** The rows as they stand, each with its newline: what `encodeRow` gives. */
export function eachRow(bytes: Uint8Array): string[] {
  const lines = asBuffer(bytes).toString('utf8').split('\n')
  lines.pop()
  return lines.map((line) => `${line}\n`)
}

/** The values of one row, without its newline. */
export function decodeRow(line: string): (string | null)[] {
  return line.split('\t').map(decodeField)
}

/** The value of a field as it stands between two tabs. */
export function decodeField(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\') ? text.replace(escaped, (_, letter: string) => meant[letter] ?? letter) : text
}

/** How many rows end in these bytes. */
export function countRows(bytes: Uint8Array): number {
  const buffer = asBuffer(bytes)
  let rows = 0
  for (let at = buffer.indexOf(newline); at !== -1; at = buffer.indexOf(newline, at + 1)) rows++
  return rows
}

export interface RowJoiner {
  /** The whole rows among what was pushed so far and not given out yet. The rest is copied for the next push, because its batch may be released. */
  push(bytes: Uint8Array): Uint8Array
  /** Bytes of a row that has begun and not ended. */
  readonly waiting: number
}

/** Puts together again the rows that were cut between two batches. */
export function joinRows(): RowJoiner {
  let rest: Buffer[] = []
  return {
    push(bytes) {
      const buffer = asBuffer(bytes)
      const end = buffer.lastIndexOf(newline) + 1
      if (end === 0) {
        if (buffer.length > 0) rest.push(Buffer.from(buffer))
        return Buffer.alloc(0)
      }
      const whole = buffer.subarray(0, end)
      const joined = rest.length === 0 ? whole : Buffer.concat([...rest, whole])
      rest = end === buffer.length ? [] : [Buffer.from(buffer.subarray(end))]
      return joined
    },
    get waiting() {
      return rest.reduce((sum, piece) => sum + piece.length, 0)
    },
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Throws if the rows of a source end in the middle of one. @param waiting how many bytes of it there are */
export function assertNoCut(waiting: number): void {
  if (waiting === 0) return
  throw new Fault('bug', {
    code: 'engine.row_cut',
    notice: 'The source ended in the middle of a row. The details are in the server log.',
  })
}
