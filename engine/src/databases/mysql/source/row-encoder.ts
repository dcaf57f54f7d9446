/** Encodes rows of MySQL's wire protocol as COPY text without creating a string or an object for any value. */

/** Format of a column on the wire. `plain` needs no escape: digits, signs, points, hexadecimal. */
export type WireFormat = 'plain' | 'text' | 'boolean' | 'bit' | 'bytes' | 'stamp' | 'utcStamp'

export interface EncodedRows {
  readonly bytes: Uint8Array
  readonly rows: number
}

const [tab, newline, carriage, backslash] = [9, 10, 13, 92]
const [zero, one, minus, plus, letterN, letterX, letterT, letterF] = [48, 49, 45, 43, 78, 120, 116, 102]
/** Stands in place of a length. */
const nullMark = 251
const hexDigits = Buffer.from('0123456789abcdef', 'latin1')

export class RowEncoder {
  /** Number of text values that lost U+0000, which no target stores. */
  cleaned = 0
  /** Number of dates with a year, month or day of zero, which became null. */
  zeroDates = 0
  /** Number of values of boolean columns that are neither 0 nor 1. */
  oddFlags = 0
  readonly #wires: readonly WireFormat[]
  readonly #initialBytes: number
  #out: Buffer
  #at = 0
  #rows = 0

  constructor(wires: readonly WireFormat[], initialBytes = 320 * 1024) {
    this.#wires = wires
    this.#initialBytes = initialBytes
    this.#out = Buffer.allocUnsafe(initialBytes)
  }

  /** Number of bytes that `take` would return. */
  get size(): number {
    return this.#at
  }

  /** All rows appended since the last call. */
  take(): EncodedRows {
    const taken = { bytes: this.#out.subarray(0, this.#at), rows: this.#rows }
    this.#out = Buffer.allocUnsafe(this.#initialBytes)
    this.#at = 0
    this.#rows = 0
    return taken
  }

  /** Appends one row: its values, each after its length, in `packet` from `start`. */
  append(packet: Uint8Array, start: number): void {
    let offset = start
    for (const wire of this.#wires) {
      const first = packet[offset] ?? nullMark
      if (first === nullMark) {
        this.#reserve(0)
        this.#putNull()
        offset += 1
      } else {
        const from = offset + lengthBytes(first)
        offset = from + (first < nullMark ? first : longLength(packet, offset, first))
        this.#reserve(offset - from)
        this.#putValue(wire, packet, from, offset)
      }
      this.#out[this.#at++] = tab
    }
    // Replaces the tab after the last value.
    this.#out[this.#at - 1] = newline
    this.#rows++
  }

  /** An escaped value takes at most twice its bytes; hexadecimal twice, and its prefix. */
  #reserve(length: number): void {
    const wanted = this.#at + 2 * length + 16
    if (wanted <= this.#out.length) return
    const larger = Buffer.allocUnsafe(Math.max(wanted, 2 * this.#out.length))
    this.#out.copy(larger, 0, 0, this.#at)
    this.#out = larger
  }

  #putValue(wire: WireFormat, packet: Uint8Array, from: number, to: number): void {
    switch (wire) {
      case 'plain':
        return this.#put(packet, from, to)
      case 'text':
        return this.#putText(packet, from, to)
      case 'boolean':
        return this.#putBoolean(packet, from, to)
      case 'bit':
        return this.#putFlag(packet[to - 1] !== 0)
      case 'bytes':
        return this.#putBytes(packet, from, to)
      case 'stamp':
      case 'utcStamp':
        return this.#putStamp(wire, packet, from, to)
    }
  }

  #put(packet: Uint8Array, from: number, to: number): void {
    const out = this.#out
    let at = this.#at
    for (let i = from; i < to; i++) out[at++] = packet[i] ?? 0
    this.#at = at
  }

  #putNull(): void {
    this.#out[this.#at++] = backslash
    this.#out[this.#at++] = letterN
  }

  #putText(packet: Uint8Array, from: number, to: number): void {
    const out = this.#out
    let at = this.#at
    let hadNul = false
    for (let i = from; i < to; i++) {
      const byte = packet[i] ?? 0
      if (byte > carriage && byte !== backslash) {
        out[at++] = byte
      } else if (byte === 0) {
        hadNul = true
      } else {
        const letter = escapeLetter(byte)
        if (letter !== 0) out[at++] = backslash
        out[at++] = letter === 0 ? byte : letter
      }
    }
    this.#at = at
    if (hadNul) this.cleaned++
  }

  #putBytes(packet: Uint8Array, from: number, to: number): void {
    const out = this.#out
    let at = this.#at
    out[at++] = backslash
    out[at++] = backslash
    out[at++] = letterX
    for (let i = from; i < to; i++) {
      const byte = packet[i] ?? 0
      out[at++] = hexDigits[byte >> 4] ?? 0
      out[at++] = hexDigits[byte & 15] ?? 0
    }
    this.#at = at
  }

  /** MySQL allows dates with a year, month or day of zero, which no calendar has: they mean 'none'. */
  #putStamp(wire: 'stamp' | 'utcStamp', packet: Uint8Array, from: number, to: number): void {
    if (isZeroDate(packet, from)) {
      this.zeroDates++
      return this.#putNull()
    }
    this.#put(packet, from, to)
    if (wire === 'stamp') return
    this.#out[this.#at++] = plus
    this.#out[this.#at++] = zero
    this.#out[this.#at++] = zero
  }

  #putBoolean(packet: Uint8Array, from: number, to: number): void {
    const isZero = packet[from] === zero
    if (to - from !== 1 || (!isZero && packet[from] !== one)) this.oddFlags++
    this.#putFlag(!isZero)
  }

  #putFlag(isSet: boolean): void {
    this.#out[this.#at++] = isSet ? letterT : letterF
  }
}

function escapeLetter(byte: number): number {
  if (byte === backslash) return backslash
  if (byte === tab) return 116
  if (byte === newline) return 110
  return byte === carriage ? 114 : 0
}

function isZeroDate(packet: Uint8Array, from: number): boolean {
  const hasNoYear =
    packet[from] === zero && packet[from + 1] === zero && packet[from + 2] === zero && packet[from + 3] === zero
  if (hasNoYear || packet[from + 4] !== minus) return hasNoYear
  const hasNoMonth = packet[from + 5] === zero && packet[from + 6] === zero
  return hasNoMonth || (packet[from + 8] === zero && packet[from + 9] === zero)
}

/** https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_dt_integers.html */
function lengthBytes(first: number): number {
  if (first < nullMark) return 1
  if (first === 252) return 3
  return first === 253 ? 4 : 9
}

/** The lower four of eight bytes are enough for any value that fits in memory. */
function longLength(packet: Uint8Array, offset: number, first: number): number {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
  if (first === 252) return bytes.readUInt16LE(offset + 1)
  return first === 253 ? bytes.readUIntLE(offset + 1, 3) : bytes.readUInt32LE(offset + 1)
}
