/**
 * The subset of TDS 7.4 that the stub needs.
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-tds/
 */

export const packetTypes = {
  batch: 0x01,
  response: 0x04,
  attention: 0x06,
  bulk: 0x07,
  login: 0x10,
  prelogin: 0x12,
} as const
const headerBytes = 8
const packetBytes = 4_096

export interface TdsMessage {
  readonly type: number
  readonly payload: Buffer
}

/** Assembles messages from packets as bytes arrive. */
export function messageReader(take: (message: TdsMessage) => void): (bytes: Buffer) => void {
  let waiting = Buffer.alloc(0)
  let parts: Buffer[] = []
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    while (waiting.length >= headerBytes && waiting.length >= waiting.readUInt16BE(2)) {
      const packet = waiting.subarray(0, waiting.readUInt16BE(2))
      waiting = waiting.subarray(packet.length)
      parts.push(packet.subarray(headerBytes))
      const isLast = (packet.readUInt8(1) & 1) === 1
      if (!isLast) continue
      const payload = Buffer.concat(parts)
      parts = []
      take({ type: packet.readUInt8(0), payload })
    }
  }
}

export function responsePackets(tokens: Buffer): Buffer {
  const size = packetBytes - headerBytes
  const count = Math.max(1, Math.ceil(tokens.length / size))
  const packets = Array.from({ length: count }, (_, at) => {
    const part = tokens.subarray(at * size, (at + 1) * size)
    const isLast = at === count - 1
    const header = Buffer.from([packetTypes.response, isLast ? 1 : 0, 0, 0, 0, 0, (at + 1) & 255, 0])
    header.writeUInt16BE(part.length + headerBytes, 2)
    return Buffer.concat([header, part])
  })
  return Buffer.concat(packets)
}

/** Replies with version 16, no encryption, no instance, no MARS. */
export function preloginReply(): Buffer {
  const values = [
    Buffer.from([16, 0, 16, 0, 0, 0]),
    Buffer.from([2]),
    Buffer.from([0]),
    Buffer.alloc(0),
    Buffer.from([0]),
  ]
  let offset = values.length * 5 + 1
  const options = values.map((value, token) => {
    const option = Buffer.from([token, 0, 0, 0, 0])
    option.writeUInt16BE(offset, 1)
    option.writeUInt16BE(value.length, 3)
    offset += value.length
    return option
  })
  return Buffer.concat([...options, Buffer.from([255]), ...values])
}

export interface TdsLogin {
  readonly user: string
  readonly password: string
  readonly database: string
}

export function readLogin(payload: Buffer): TdsLogin {
  const field = (at: number): Buffer =>
    payload.subarray(payload.readUInt16LE(at), payload.readUInt16LE(at) + 2 * payload.readUInt16LE(at + 2))
  const password = Buffer.from(field(44).map((byte) => rotate(byte ^ 0xa5)))
  return { user: field(40).toString('ucs2'), password: password.toString('ucs2'), database: field(68).toString('ucs2') }
}

function rotate(byte: number): number {
  return ((byte << 4) | (byte >> 4)) & 255
}

/** Returns the text of a batch, which follows its headers. */
export function readBatch(payload: Buffer): string {
  return payload.subarray(payload.readUInt32LE(0)).toString('ucs2')
}

export function loginAck(): Buffer {
  const body = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), shortText('stub'), Buffer.from([16, 0, 0, 0])])
  return Buffer.concat([Buffer.from([0xad]), length(body), body])
}

export function routing(host: string, port: number): Buffer {
  const target = Buffer.concat([Buffer.from([0, port & 255, port >> 8]), longText(host)])
  const body = Buffer.concat([Buffer.from([20]), length(target), target, Buffer.from([0, 0])])
  return Buffer.concat([Buffer.from([0xe3]), length(body), body])
}

export function errorToken(number: number, message: string): Buffer {
  const head = Buffer.alloc(6)
  head.writeInt32LE(number, 0)
  head[4] = 1
  head[5] = 14
  const body = Buffer.concat([head, longText(message), shortText('stub'), shortText(''), Buffer.alloc(4)])
  return Buffer.concat([Buffer.from([0xaa]), length(body), body])
}

const doneFlags = { final: 0x00, error: 0x02, count: 0x10, attention: 0x20 } as const

export function done(flag: keyof typeof doneFlags, rows = 0): Buffer {
  const token = Buffer.alloc(13)
  token[0] = 0xfd
  token.writeUInt16LE(doneFlags[flag], 1)
  token.writeBigUInt64LE(BigInt(rows), 5)
  return token
}

const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])

/** The first value of a column that is not null determines its type: text, number, bit or bytes. */
export function resultSet(rows: readonly (readonly unknown[])[], columns: number): Buffer {
  const kinds = Array.from({ length: columns }, (_, at) =>
    kindOf(rows.map((row) => row[at]).find((value) => value !== null && value !== undefined)),
  )
  const count = Buffer.from([0x81, columns & 255, columns >> 8])
  const described = kinds.map((kind) => Buffer.concat([Buffer.from([0, 0, 0, 0, 9, 0]), kind.info, shortText('')]))
  const lines = rows.map((row) =>
    Buffer.concat([Buffer.from([0xd1]), ...kinds.map((kind, at) => kind.write(row[at] ?? null))]),
  )
  return Buffer.concat([count, ...described, ...lines])
}

interface WireType {
  readonly info: Buffer
  write(value: unknown): Buffer
}

function kindOf(sample: unknown): WireType {
  if (typeof sample === 'number')
    return Number.isInteger(sample)
      ? sized(0x26, 4, (value) => int32(Number(value)))
      : sized(0x6d, 8, (value) => float64(Number(value)))
  if (typeof sample === 'boolean') return sized(0x68, 1, (value) => Buffer.from([value === true ? 1 : 0]))
  if (sample instanceof Uint8Array)
    return {
      info: Buffer.from([0xa5, 0x40, 0x1f]),
      write: (value) => (value === null ? Buffer.from([255, 255]) : lengthened(Buffer.from(value as Uint8Array))),
    }
  return {
    info: Buffer.concat([Buffer.from([0xe7, 255, 255]), collation]),
    write: (value) => (value === null ? Buffer.alloc(8, 255) : longValue(Buffer.from(String(value), 'ucs2'))),
  }
}

function sized(type: number, size: number, encode: (value: unknown) => Buffer): WireType {
  return {
    info: Buffer.from([type, size]),
    write: (value) => (value === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([size]), encode(value)])),
  }
}

function longValue(bytes: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeBigUInt64LE(BigInt(bytes.length), 0)
  head.writeUInt32LE(bytes.length, 8)
  return bytes.length === 0 ? Buffer.alloc(12) : Buffer.concat([head, bytes, Buffer.alloc(4)])
}

function length(body: Buffer): Buffer {
  return Buffer.from([body.length & 255, body.length >> 8])
}

function lengthened(body: Buffer): Buffer {
  return Buffer.concat([length(body), body])
}

function shortText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'ucs2')])
}

function longText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length & 255, text.length >> 8]), Buffer.from(text, 'ucs2')])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
