/** Decodes the bytes of a bulk load as text; decimals and timestamps have all digits of their scale. */

export interface BulkRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Reads the payload of a message from its current position. */
class PayloadReader {
  at = 0
  readonly payload: Buffer

  constructor(payload: Buffer) {
    this.payload = payload
  }

  /** Reads an unsigned little-endian integer. */
  number(bytes: 1 | 2 | 3 | 4 | 5): number {
    this.at += bytes
    return this.payload.readUIntLE(this.at - bytes, bytes)
  }

  bytes(count: number): Buffer {
    this.at += count
    return this.payload.subarray(this.at - count, this.at)
  }

  text(characters: number): string {
    return this.bytes(2 * characters).toString('ucs2')
  }
}

/** Reads one value, whose bytes follow its length. Returns null for SQL NULL. */
type ReadValue = (from: PayloadReader) => string | null

const rowToken = 0xd1

export function readBulk(payload: Buffer): BulkRows {
  const from = new PayloadReader(payload)
  from.at = 1
  const columns = Array.from({ length: from.number(2) }, () => {
    from.at += 6
    const type = from.number(1)
    const read = types[type]?.(from)
    if (read === undefined) throw new Error(`A bulk column has the type ${type}.`)
    return { read, name: from.text(from.number(1)) }
  })
  const rows: (string | null)[][] = []
  while (payload[from.at] === rowToken) {
    from.at++
    rows.push(columns.map(({ read }) => read(from)))
  }
  return { columns: columns.map(({ name }) => name), rows }
}

/** By type number: reads the rest of the column description and returns a reader of values. */
const types: { readonly [type: number]: ((from: PayloadReader) => ReadValue) | undefined } = {
  0x24: (from) => sized(from, readGuid),
  0x26: (from) =>
    sized(from, (bytes) => String(bytes.length === 8 ? bytes.readBigInt64LE() : bytes.readIntLE(0, bytes.length))),
  0x28: () => short((bytes) => dateText(bytes.readUIntLE(0, 3))),
  0x29: (from) => scaled(from, (bytes, scale) => timeText(bytes.readUIntLE(0, bytes.length), scale)),
  0x2a: (from) =>
    scaled(from, (bytes, scale) => {
      const end = bytes.length - 3
      return `${dateText(bytes.readUIntLE(end, 3))} ${timeText(bytes.readUIntLE(0, end), scale)}`
    }),
  0x68: (from) => sized(from, (bytes) => String(bytes[0])),
  0x6a: (from) => {
    from.at += 2
    return scaled(from, readDecimal)
  },
  0x6d: (from) => sized(from, (bytes) => String(bytes.readDoubleLE())),
  0xa5: (from) => long(from, 0, (bytes) => `\\x${bytes.toString('hex')}`),
  0xe7: (from) => long(from, 5, (bytes) => bytes.toString('ucs2')),
}

/** Values of up to 255 bytes, each preceded by its length. */
function short(read: (bytes: Buffer) => string): ReadValue {
  return (from) => {
    const length = from.number(1)
    return length === 0 ? null : read(from.bytes(length))
  }
}

function sized(from: PayloadReader, read: (bytes: Buffer) => string): ReadValue {
  from.at += 1
  return short(read)
}

function scaled(from: PayloadReader, read: (bytes: Buffer, scale: number) => string): ReadValue {
  const scale = from.number(1)
  return short((bytes) => read(bytes, scale))
}

/** Values of up to 8,000 bytes, or in parts if the column has no limit. */
function long(from: PayloadReader, collationBytes: number, read: (bytes: Buffer) => string): ReadValue {
  const isUnlimited = from.number(2) === 0xffff
  from.at += collationBytes
  return (values) => {
    const bytes = isUnlimited ? readParts(values) : readLong(values)
    return bytes === null ? null : read(bytes)
  }
}

function readLong(from: PayloadReader): Buffer | null {
  const length = from.number(2)
  return length === 0xffff ? null : from.bytes(length)
}

function readParts(from: PayloadReader): Buffer | null {
  if (from.bytes(8).readBigUInt64LE() === 0xffffffffffffffffn) return null
  const parts: Buffer[] = []
  for (let size = from.number(4); size > 0; size = from.number(4)) parts.push(from.bytes(size))
  return Buffer.concat(parts)
}

function readDecimal(bytes: Buffer, scale: number): string {
  const magnitude = bytes.subarray(1).reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
  const digits = String(magnitude).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${bytes[0] === 0 ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`
}

/** The first three parts are little-endian numbers. */
function readGuid(bytes: Buffer): string {
  const numbers = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)].map((part) => part.toReversed())
  return [...numbers, bytes.subarray(8, 10), bytes.subarray(10)]
    .map((part) => Buffer.from(part).toString('hex'))
    .join('-')
}

function dateText(day: number): string {
  const date = new Date(0)
  date.setUTCFullYear(1, 0, 1)
  date.setUTCDate(1 + day)
  return date.toISOString().slice(0, 10)
}

function timeText(units: number, scale: number): string {
  const seconds = Math.floor(units / 10 ** scale)
  const two = (value: number): string => String(Math.floor(value) % 60).padStart(2, '0')
  const fraction = scale === 0 ? '' : `.${String(units % 10 ** scale).padStart(scale, '0')}`
  return `${String(Math.floor(seconds / 3_600)).padStart(2, '0')}:${two(seconds / 60)}:${two(seconds)}${fraction}`
}
