import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countBinaryRows } from './binary-rows.ts'

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
const trailer = Buffer.from([0xff, 0xff])

function encode(rows: readonly (readonly (Uint8Array | null)[])[]): Buffer {
  const tuples = rows.map((row) =>
    Buffer.concat([
      int16(row.length),
      ...row.map((value) => (value === null ? int32(-1) : Buffer.concat([int32(value.length), value]))),
    ]),
  )
  return Buffer.concat([header, ...tuples, trailer])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

test('binary rows are counted wherever their stream is cut', () => {
  const value = fc.option(fc.uint8Array({ maxLength: 20 }))
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(rows, fc.array(fc.nat()), (table, cuts) => {
      const bytes = encode(table)
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const count = countBinaryRows()
      const counted = places.slice(1).map((to, at) => count(bytes.subarray(places[at], to)))
      expect(counted.reduce((sum, rows) => sum + rows, 0)).toBe(table.length)
    }),
  )
})
