/**
 * Shared strings by index, in one buffer outside the heap: as JavaScript strings they would take several times the
 * memory.
 */
import { sharedTextMaxBytes, sharedTextsMax } from '../sheet-limits.ts'
import { damagedFile, UnreadableFile } from '../unreadable-file.ts'

export class TextTable {
  #bytes = Buffer.alloc(65_536)
  #ends = new Uint32Array(1_024)
  #count = 0

  add(text: string): void {
    const start = this.#endOf(this.#count)
    const end = start + Buffer.byteLength(text)
    if (end > sharedTextMaxBytes || this.#count >= sharedTextsMax)
      throw new UnreadableFile('The file contains too many different texts for one load. Split it into several files.')
    this.#makeRoom(end)
    this.#bytes.write(text, start)
    this.#ends[this.#count] = end
    this.#count += 1
  }

  get(index: number): string {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count))
      throw damagedFile('a cell refers to a missing text')
    return this.#bytes.toString('utf8', this.#endOf(index), this.#endOf(index + 1))
  }

  /** End offset of the previous text, which is the start of this one. */
  #endOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
  }

  #makeRoom(end: number): void {
    if (end > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(grown)
      this.#bytes = grown
    }
    if (this.#count === this.#ends.length) {
      const grown = new Uint32Array(this.#ends.length * 2)
      grown.set(this.#ends)
      this.#ends = grown
    }
  }
}
