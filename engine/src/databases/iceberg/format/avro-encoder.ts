/** Writes values in Avro's binary encoding. */
import type { AvroSchema, AvroValue } from './avro-schema.ts'

export class AvroEncoder {
  #buffer = Buffer.alloc(4_096)
  #length = 0

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  long(value: bigint): void {
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
    this.#reserve(10)
    while (rest > 127n) {
      this.#buffer[this.#length++] = Number(rest & 127n) | 128
      rest >>= 7n
    }
    this.#buffer[this.#length++] = Number(rest)
  }

  map(members: { readonly [key: string]: string }): void {
    const entries = Object.entries(members)
    this.long(BigInt(entries.length))
    for (const [key, text] of entries) {
      this.#sized(Buffer.from(key))
      this.#sized(Buffer.from(text))
    }
    this.long(0n)
  }

  value(schema: AvroSchema, value: AvroValue | undefined): void {
    if (Array.isArray(schema)) return this.#union(schema, value)
    if (typeof schema === 'string') return this.#primitive(schema, value ?? null)
    const typed = schema as Exclude<AvroSchema, string | readonly AvroSchema[]>
    if (typed.type === 'record' && 'fields' in typed) {
      const record = value as { readonly [field: string]: AvroValue }
      for (const { name, type } of typed.fields as readonly { name: string; type: AvroSchema }[])
        this.value(type, record[name])
    } else if (typed.type === 'array' && 'items' in typed) this.#array(typed.items as AvroSchema, value as AvroValue[])
    else if (typed.type === 'fixed') this.raw(value as Uint8Array)
    else this.value(typed.type, value)
  }

  /** Only the unions of Iceberg: null and one type. */
  #union(schemas: readonly AvroSchema[], value: AvroValue | undefined): void {
    const isNull = value === null || value === undefined
    const at = schemas.findIndex((schema) => (schema === 'null') === isNull)
    this.long(BigInt(at))
    if (!isNull) this.value(schemas[at] ?? 'null', value)
  }

  #array(items: AvroSchema, values: readonly AvroValue[]): void {
    if (values.length > 0) this.long(BigInt(values.length))
    for (const value of values) this.value(items, value)
    this.long(0n)
  }

  #primitive(type: string, value: AvroValue): void {
    switch (type) {
      case 'null':
        return
      case 'boolean':
        return this.raw(Uint8Array.of(value === true ? 1 : 0))
      case 'int':
      case 'long':
        return this.long(BigInt(value as bigint | number))
      case 'double': {
        const bytes = Buffer.alloc(8)
        bytes.writeDoubleLE(value as number)
        return this.raw(bytes)
      }
      case 'string':
        return this.#sized(Buffer.from(value as string))
      case 'bytes':
        return this.#sized(value as Uint8Array)
      default:
        throw new Error(`The Avro type ${type} is not written.`)
    }
  }

  #sized(bytes: Uint8Array): void {
    this.long(BigInt(bytes.length))
    this.raw(bytes)
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#buffer.length) return
    const larger = Buffer.alloc(Math.max(this.#buffer.length * 2, this.#length + length))
    larger.set(this.bytes)
    this.#buffer = larger
  }
}
