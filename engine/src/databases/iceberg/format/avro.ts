/**
 * Object container files of Avro, in which Iceberg keeps its manifests. Reads the schema that a file has in it; writes with the codec
 * `deflate`. A long is a bigint. https://avro.apache.org/docs/1.12.0/specification/
 */
import { randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { AvroDecoder } from './avro-decoder.ts'
import { AvroEncoder } from './avro-encoder.ts'
import type { AvroSchema, AvroValue } from './avro-schema.ts'

export interface AvroFile {
  readonly metadata: ReadonlyMap<string, string>
  readonly records: readonly AvroValue[]
}

const magic = Buffer.from('Obj\u0001', 'latin1')
const blockRecords = 1_000

/** @param metadata of the file, in addition to the schema */
export function writeAvro(
  schema: AvroSchema,
  metadata: { readonly [key: string]: string },
  records: readonly AvroValue[],
): Uint8Array {
  const file = new AvroEncoder()
  const sync = randomBytes(16)
  file.raw(magic)
  file.map({ ...metadata, 'avro.schema': JSON.stringify(schema), 'avro.codec': 'deflate' })
  file.raw(sync)
  for (let start = 0; start < records.length; start += blockRecords) {
    const block = new AvroEncoder()
    const part = records.slice(start, start + blockRecords)
    for (const record of part) block.value(schema, record)
    const compressed = deflateRawSync(block.bytes)
    file.long(BigInt(part.length))
    file.long(BigInt(compressed.length))
    file.raw(compressed)
    file.raw(sync)
  }
  return file.bytes
}

/** @throws Error unless it is such a file, with a codec that Iceberg's writers use */
export function readAvro(bytes: Uint8Array): AvroFile {
  const file = new AvroDecoder(bytes)
  if (Buffer.compare(file.raw(4), magic) !== 0) throw new Error('This is no Avro file.')
  const metadata = file.map()
  const schema = JSON.parse(metadata.get('avro.schema') ?? 'null') as AvroSchema
  const decompress = codecs[metadata.get('avro.codec') ?? 'null']
  if (decompress === undefined) throw new Error(`The codec of the Avro file is unknown: ${metadata.get('avro.codec')}.`)
  const sync = Buffer.from(file.raw(16))
  const records: AvroValue[] = []
  while (!file.isAtEnd) {
    const count = Number(file.long())
    const block = new AvroDecoder(decompress(file.raw(Number(file.long()))))
    for (let at = 0; at < count; at++) records.push(block.value(schema))
    if (Buffer.compare(file.raw(16), sync) !== 0) throw new Error('The Avro file is damaged.')
  }
  return { metadata, records }
}

const codecs: { readonly [name: string]: ((bytes: Uint8Array) => Uint8Array) | undefined } = {
  null: (bytes) => bytes,
  deflate: (bytes) => inflateRawSync(bytes),
}
