/** Columns of text and bytes. */
import { decodeFixed, encodeFixed, formatUuid } from '../format/bounds.ts'
import type { EncodedValues, Value } from '../format/encoded-column.ts'
import { bytesOf, ColumnBuffer, type Extremes, grown } from './column-buffer.ts'
import { type ByteValues, dictionaryOf } from './dictionary.ts'

/** Small, because each of many open partitions has its columns. */
const firstCapacity = 32
/** Before each value, its length. */
export const lengthBytes = 4
/** A call costs more than a loop over few bytes. */
const shortLength = 24
const asciiEnd = 0x80
const backslash = 92
const hyphen = 45
const uuidLength = 36
const uuidHyphens = new Set([8, 13, 18, 23])
/** The value of each hexadecimal digit in lower case, and -1 for any other byte. */
const hexDigits = new Int8Array(256).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) hexDigits[digit.charCodeAt(0)] = value

/** Values of any length, each after its length, as Parquet's plain encoding has them. */
export class ByteArrayColumn extends ColumnBuffer implements ByteValues {
  bytes: Buffer = Buffer.allocUnsafeSlow(firstCapacity * 16)
  #words = new DataView(this.bytes.buffer)
  /** Where each value begins, and where the last ends: its length is before it, and belongs to it. */
  starts = new Uint32Array(firstCapacity)
  readonly #isText = this.element.converted_type === 'UTF8'

  protected override reserveValues(count: number): void {
    this.starts = grown(this.starts, this.values + 1, count + 1)
  }

  /** Makes room for so many bytes, lengths included, after the values before this one. */
  reserveBytes(at: number, length: number): void {
    const used = this.starts[at] as number
    if (used + length <= this.bytes.length) return
    const longer = Buffer.allocUnsafeSlow(Math.max(used + length, this.bytes.length * 2))
    this.bytes.copy(longer, 0, 0, used)
    this.bytes = longer
    this.#words = new DataView(longer.buffer)
  }

  /** Copies a value from text, for which room has been made. Returns false if it has a backslash. */
  copyShort(at: number, text: Uint8Array, start: number, end: number): boolean {
    const { bytes } = this
    let written = (this.starts[at] as number) + lengthBytes
    for (let from = start; from < end; from++) {
      const byte = text[from] as number
      if (byte === backslash) return false
      bytes[written++] = byte
    }
    this.#end(at, written)
    return true
  }

  copy(at: number, text: Buffer, start: number, end: number): void {
    const first = (this.starts[at] as number) + lengthBytes
    this.#end(at, first + text.copy(this.bytes, first, start, end))
  }

  /** Ends the value whose bytes have been written up to this position. */
  #end(at: number, end: number): void {
    const start = this.starts[at] as number
    const length = end - start - lengthBytes
    const { bytes } = this
    bytes[start] = length
    bytes[start + 1] = length >>> 8
    bytes[start + 2] = length >>> 16
    bytes[start + 3] = length >>> 24
    this.starts[at + 1] = end
  }

  override set(at: number, value: Value): void {
    const start = (this.starts[at] as number) + lengthBytes
    if (value instanceof Uint8Array) {
      this.reserveBytes(at, lengthBytes + value.length)
      this.bytes.set(value, start)
      this.#end(at, start + value.length)
    } else {
      const text = value as string
      this.reserveBytes(at, lengthBytes + 3 * text.length)
      this.#end(at, start + (this.#writeShort(text, start) || this.bytes.write(text, start)))
    }
  }

  /** Returns how many bytes were written, 0 if the text is long or not ASCII. */
  #writeShort(text: string, start: number): number {
    if (text.length > shortLength) return 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit >= asciiEnd) return 0
      this.bytes[start + at] = unit
    }
    return text.length
  }

  override get(at: number): Value {
    const start = (this.starts[at] as number) + lengthBytes
    const end = this.starts[at + 1] as number
    return this.#isText ? this.bytes.toString('utf8', start, end) : Uint8Array.from(this.bytes.subarray(start, end))
  }

  /** Bytes of UTF-8 have the order of the characters. */
  override compare(left: number, right: number): number {
    const { bytes, starts } = this
    const words = this.#words
    let at = (starts[left] as number) + lengthBytes
    let other = (starts[right] as number) + lengthBytes
    const end = starts[left + 1] as number
    const otherEnd = starts[right + 1] as number
    // Four bytes at once: values often begin alike.
    while (at + 4 <= end && other + 4 <= otherEnd) {
      const difference = words.getUint32(at) - words.getUint32(other)
      if (difference !== 0) return difference
      at += 4
      other += 4
    }
    while (at < end && other < otherEnd) {
      const difference = (bytes[at++] as number) - (bytes[other++] as number)
      if (difference !== 0) return difference
    }
    return end - at - (otherEnd - other)
  }

  protected override encodeValues(): EncodedValues {
    const dictionary = this.#isText ? dictionaryOf(this) : null
    const plain = dictionary?.plain ?? bytesOf(this.bytes, this.starts[this.values] as number)
    return this.withBounds(plain, this.#extremes(), dictionary)
  }

  #extremes(): Extremes {
    let least = 0
    let greatest = 0
    for (let at = 1; at < this.values; at++) {
      if (this.compare(at, least) < 0) least = at
      else if (this.compare(at, greatest) > 0) greatest = at
    }
    return { least, greatest }
  }
}

/** Values of the same length: uuid, and decimals of many digits. */
export class FixedBytesColumn extends ColumnBuffer {
  readonly #length = this.element.type_length ?? 0
  readonly #isDecimal = this.element.converted_type === 'DECIMAL'
  #bytes = new Uint8Array(firstCapacity * this.#length)

  protected override reserveValues(count: number): void {
    this.#bytes = grown(this.#bytes, this.values * this.#length, count * this.#length)
  }

  override set(at: number, value: Value): void {
    this.#bytes.set(this.#bytesOf(value), at * this.#length)
  }

  #bytesOf(value: Value): Uint8Array {
    if (typeof value === 'bigint') return encodeFixed(value, this.#length)
    return typeof value === 'string' ? Buffer.from(value.replaceAll('-', ''), 'hex') : (value as Uint8Array)
  }

  /** Sets a uuid from its text in lower case. Returns false for any other text. */
  setUuid(at: number, text: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes
    let written = at * this.#length
    if (end - start !== uuidLength) return false
    for (let from = start; from < end; from += 2) {
      if (uuidHyphens.has(from - start) && text[from++] !== hyphen) return false
      const high = hexDigits[text[from] as number] as number
      const low = hexDigits[text[from + 1] as number] as number
      if ((high | low) < 0) return false
      bytes[written++] = (high << 4) | low
    }
    return true
  }

  override get(at: number): Value {
    const bytes = this.#bytes.subarray(at * this.#length, (at + 1) * this.#length)
    return this.#isDecimal ? decodeFixed(bytes) : formatUuid(bytes)
  }

  /** The highest bit of a decimal is its sign. */
  override compare(left: number, right: number): number {
    const bytes = this.#bytes
    const start = left * this.#length
    const other = right * this.#length
    const flipped = this.#isDecimal ? 0x80 : 0
    const first = ((bytes[start] as number) ^ flipped) - ((bytes[other] as number) ^ flipped)
    if (first !== 0) return first
    for (let at = 1; at < this.#length; at++) {
      const difference = (bytes[start + at] as number) - (bytes[other + at] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  protected override encodeValues(): EncodedValues {
    return this.withBounds(bytesOf(this.#bytes, this.values * this.#length), this.#extremes())
  }

  #extremes(): Extremes {
    let least = 0
    let greatest = 0
    for (let at = 1; at < this.values; at++) {
      if (this.compare(at, least) < 0) least = at
      else if (this.compare(at, greatest) > 0) greatest = at
    }
    return { least, greatest }
  }
}
