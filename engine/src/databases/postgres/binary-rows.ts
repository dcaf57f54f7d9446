/**
 * Counts the rows in a COPY binary stream, whose chunks may be cut anywhere: a signature and header, then for each row the number of its
 * fields and for each field its length and bytes.
 * https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */

const headerBytes = 19
const end = -1
const nullField = -1

/** Returns a function that counts the rows that begin in the next chunk. */
export function countBinaryRows(): (chunk: Buffer) => number {
  /** Bytes of a value that are still to come. */
  let skip = headerBytes
  let fieldsLeft = 0
  let cut: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk])
    let at = 0
    let rows = 0
    for (;;) {
      const step = Math.min(skip, bytes.length - at)
      at += step
      skip -= step
      const needed = fieldsLeft === 0 ? 2 : 4
      if (skip > 0 || bytes.length - at < needed) break
      if (fieldsLeft > 0) {
        const length = bytes.readInt32BE(at)
        fieldsLeft--
        skip = length === nullField ? 0 : length
      } else {
        fieldsLeft = bytes.readInt16BE(at)
        if (fieldsLeft === end) {
          // Nothing comes after the end.
          fieldsLeft = 0
          skip = Number.POSITIVE_INFINITY
        } else rows++
      }
      at += needed
    }
    cut = bytes.subarray(at)
    return rows
  }
}
