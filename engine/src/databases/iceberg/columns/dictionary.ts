/** Finds out whether the values of a column repeat, and lists the distinct ones. */
import type { EncodedDictionary } from '../format/encoded-column.ts'

/** Values, each with its length before it. */
export interface ByteValues {
  readonly bytes: Buffer
  /** Where each value begins; the one after the last is where it ends. */
  readonly starts: Uint32Array
  /** How many there are. */
  readonly values: number
}

interface ByteDictionary extends EncodedDictionary {
  /** The distinct values, in the order in which they occur first. */
  readonly plain: Uint8Array
}

const sampleSize = 1_000

/** Null unless each value occurs at least twice on average, first in a sample, so that other columns cost next to nothing. */
export function dictionaryOf(values: ByteValues): ByteDictionary | null {
  return repeatsInSample(values) ? listDistinct(values) : null
}

function repeatsInSample({ bytes, starts, values }: ByteValues): boolean {
  const step = Math.max(1, Math.floor(values / sampleSize))
  const distinct = new Set<string>()
  let size = 0
  for (let at = 0; at < values; at += step) {
    size++
    distinct.add(bytes.toString('latin1', starts[at], starts[at + 1]))
  }
  return size > 0 && distinct.size * 2 <= size
}

/** A hash table of positions; null as soon as too many values are distinct. */
function listDistinct(values: ByteValues): ByteDictionary | null {
  const count = values.values
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(count + 1)))
  const indexes = new Uint32Array(count)
  /** The first value of each entry. */
  const firsts = new Uint32Array((count >> 1) + 1)
  let size = 0
  for (let at = 0; at < count; at++) {
    let slot = hashAt(values, at) & (slots.length - 1)
    let entry = (slots[slot] as number) - 1
    while (entry !== -1 && !areEqual(values, firsts[entry] as number, at)) {
      slot = (slot + 1) & (slots.length - 1)
      entry = (slots[slot] as number) - 1
    }
    if (entry === -1) {
      if ((size + 1) * 2 > count) return null
      entry = size++
      firsts[entry] = at
      slots[slot] = size
    }
    indexes[at] = entry
  }
  const { bytes, starts } = values
  const entries = Array.from(firsts.subarray(0, size), (first) => bytes.subarray(starts[first], starts[first + 1]))
  return { size, indexes, plain: Buffer.concat(entries) }
}

/** FNV-1a. */
function hashAt({ bytes, starts }: ByteValues, at: number): number {
  const end = starts[at + 1] as number
  let hash = 0x81_1c_9d_c5
  for (let from = starts[at] as number; from < end; from++)
    hash = Math.imul(hash ^ (bytes[from] as number), 0x01_00_01_93)
  return hash ^ (hash >>> 15)
}

function areEqual({ bytes, starts }: ByteValues, left: number, right: number): boolean {
  let other = starts[right] as number
  const end = starts[left + 1] as number
  if (end - (starts[left] as number) !== (starts[right + 1] as number) - other) return false
  for (let at = starts[left] as number; at < end; at++) if (bytes[at] !== bytes[other++]) return false
  return true
}
