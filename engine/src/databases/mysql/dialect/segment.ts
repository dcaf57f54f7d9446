/** Rows collected to be sent together, in memory that is reused: separate pieces would be freed late. */

const firstBytes = 256 * 1024
const newline = 10

export class Segment {
  size = 0
  #memory = Buffer.alloc(0)
  #wholeSize = 0

  add(bytes: Uint8Array): void {
    const wanted = this.size + bytes.length
    if (wanted > this.#memory.length) this.#grow(wanted)
    this.#memory.set(bytes, this.size)
    const end = bytes.lastIndexOf(newline) + 1
    if (end > 0) this.#wholeSize = this.size + end
    this.size = wanted
  }

  /** Up to the newline of the last row. Valid until the next `clear`. */
  get whole(): Buffer {
    return this.#memory.subarray(0, this.#wholeSize)
  }

  /** The beginning of an unfinished row. */
  get rest(): Buffer {
    return this.#memory.subarray(this.#wholeSize, this.size)
  }

  clear(): void {
    this.size = 0
    this.#wholeSize = 0
  }

  #grow(wanted: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#memory.length, firstBytes))
    larger.set(this.#memory.subarray(0, this.size))
    this.#memory = larger
  }
}
