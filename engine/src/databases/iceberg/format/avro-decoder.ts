/** Reads values in Avro's binary encoding. */
import type { AvroSchema, AvroValue } from './avro-schema.ts'

export class AvroDecoder {
  readonly #buffer: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#buffer.length
  }

  raw(length: number): Buffer {
    const end = this.#at + length
    if (length < 0 || end > this.#buffer.length) throw new Error('The Avro file ends too early.')
    const bytes = this.#buffer.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  long(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.raw(1)[0] ?? 0
      value |= BigInt(byte & 127) << shift
      if (byte < 128) break
    }
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n))
  }

  map(): ReadonlyMap<string, string> {
    const members = new Map<string, string>()
    this.#blocks(() => members.set(this.#text(), this.#text()))
    return members
  }

  value(schema: AvroSchema): AvroValue {
    if (Array.isArray(schema)) return this.value((schema as readonly AvroSchema[])[Number(this.long())] ?? 'null')
    if (typeof schema === 'string') return this.#primitive(schema)
    const typed = schema as Exclude<AvroSchema, string | readonly AvroSchema[]>
    if (typed.type === 'record' && 'fields' in typed) {
      const fields = typed.fields as readonly { readonly name: string; readonly type: AvroSchema }[]
      return Object.fromEntries(fields.map(({ name, type }) => [name, this.value(type)]))
    }
    if (typed.type === 'array' && 'items' in typed) {
      const values: AvroValue[] = []
      this.#blocks(() => values.push(this.value(typed.items as AvroSchema)))
      return values
    }
    if (typed.type === 'map' && 'values' in typed) {
      const members: { [key: string]: AvroValue } = {}
      this.#blocks(() => (members[this.#text()] = this.value(typed.values as AvroSchema)))
      return members
    }
    if (typed.type === 'fixed' && 'size' in typed) return this.raw(typed.size as number)
    return this.value(typed.type)
  }

  /** A negative count is followed by the size of the block. */
  #blocks(item: () => void): void {
    for (let count = this.long(); count !== 0n; count = this.long()) {
      if (count < 0n) this.long()
      const items = count < 0n ? -count : count
      for (let at = 0n; at < items; at++) item()
    }
  }

  #text(): string {
    return this.raw(Number(this.long())).toString()
  }

  #primitive(type: string): AvroValue {
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return this.raw(1)[0] === 1
      case 'int':
        return Number(this.long())
      case 'long':
        return this.long()
      case 'float':
        return this.raw(4).readFloatLE()
      case 'double':
        return this.raw(8).readDoubleLE()
      case 'string':
        return this.#text()
      case 'bytes':
        return this.raw(Number(this.long()))
      default:
        throw new Error(`The Avro type ${type} is not read.`)
    }
  }
}
