/** Bounds of columns in manifests: Iceberg's binary form of single values. https://iceberg.apache.org/spec/#binary-single-value-serialization */
import type { Cell } from './cells.ts'
import { decimalSize } from './column-types.ts'

type Bound = Exclude<Cell, null>

/** In characters of text, and in bytes. */
const boundLength = 16

/** Null where the value has no short lower bound. */
export function encodeLower(type: string, value: Bound): Uint8Array {
  return encodeBound(type, shorten(type, value))
}

/** Null if no short value is at least as large. */
export function encodeUpper(type: string, value: Bound): Uint8Array | null {
  const short = shorten(type, value)
  if (short === value) return encodeBound(type, value)
  const raised = typeof short === 'string' ? raiseText(short) : raiseBytes(short as Uint8Array)
  return raised === null ? null : encodeBound(type, raised)
}

function shorten(type: string, value: Bound): Bound {
  if (type === 'string' && typeof value === 'string' && value.length > boundLength)
    return Array.from(value.slice(0, boundLength * 2))
      .slice(0, boundLength)
      .join('')
      .toWellFormed()
  return value instanceof Uint8Array && value.length > boundLength ? value.subarray(0, boundLength) : value
}

/** The last character that has a successor becomes it, and those after it are dropped. */
function raiseText(text: string): string | null {
  const characters = [...text]
  for (let at = characters.length - 1; at >= 0; at--) {
    const code = characters[at]?.codePointAt(0) ?? 0
    if (code === 0x10_ff_ff) continue
    const next = code === 0xd7_ff ? 0xe0_00 : code + 1
    return characters.slice(0, at).join('') + String.fromCodePoint(next)
  }
  return null
}

function raiseBytes(bytes: Uint8Array): Uint8Array | null {
  const end = bytes.findLastIndex((byte) => byte < 255)
  if (end === -1) return null
  const raised = Uint8Array.from(bytes.subarray(0, end + 1))
  raised[end] = (raised[end] ?? 0) + 1
  return raised
}

function encodeBound(type: string, value: Bound): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (decimalSize(type) !== null) return encodeUnscaled(BigInt(value))
  if (type === 'uuid') return Buffer.from(String(value).replaceAll('-', ''), 'hex')
  if (typeof value === 'string') return Buffer.from(value)
  const buffer = Buffer.alloc(type === 'boolean' ? 1 : type === 'int' || type === 'date' ? 4 : 8)
  if (typeof value === 'boolean') buffer.writeUInt8(value ? 1 : 0)
  else if (typeof value === 'bigint') buffer.writeBigInt64LE(value)
  else if (type === 'double') buffer.writeDoubleLE(value)
  else buffer.writeInt32LE(value)
  return buffer
}

/** Two’s complement, the highest byte first, in as few bytes as possible. */
function encodeUnscaled(value: bigint): Uint8Array {
  let length = 1
  while (BigInt.asIntN(length * 8, value) !== value) length++
  return encodeFixed(value, length)
}

/** Two’s complement in this many bytes, the highest first. */
export function encodeFixed(value: bigint, length: number): Uint8Array {
  const hex = BigInt.asUintN(length * 8, value).toString(16)
  return Buffer.from(hex.padStart(length * 2, '0'), 'hex')
}

export function decodeFixed(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

/** A bound of a file that was perhaps written when the column had a narrower type. */
export function decodeBound(type: string, bytes: Uint8Array): Bound {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (decimalSize(type) !== null) return decodeFixed(buffer)
  const decode = decoders[type]
  if (decode === undefined) throw new Error(`No bounds of the type ${type} are read.`)
  return decode(buffer)
}

const decoders: { readonly [type: string]: ((bytes: Buffer) => Bound) | undefined } = {
  boolean: (bytes) => bytes[0] === 1,
  int: (bytes) => bytes.readInt32LE(),
  date: (bytes) => bytes.readInt32LE(),
  long: readLong,
  time: readLong,
  timestamp: readLong,
  timestamptz: readLong,
  double: (bytes) => (bytes.length === 4 ? bytes.readFloatLE() : bytes.readDoubleLE()),
  string: (bytes) => bytes.toString(),
  uuid: (bytes) => formatUuid(bytes),
  binary: (bytes) => bytes,
}

function readLong(bytes: Buffer): bigint {
  return bytes.length === 4 ? BigInt(bytes.readInt32LE()) : bytes.readBigInt64LE()
}

export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
