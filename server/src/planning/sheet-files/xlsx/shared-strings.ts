/** Many texts by their number, in one piece of memory beside the heap: as strings they would take several times as much. */
import { sharedTextMaxBytes, sharedTextsMax } from '../sheet-limits.ts'
import { damaged, Unreadable } from '../unreadable-file.ts'

export class TextTable {
  #bytes = Buffer.alloc(65_536)
  #ends = new Uint32Array(1_024)
  #count = 0

  add(text: string): void {
    const start = this.#endOf(this.#count)
    const end = start + Buffer.byteLength(text)
    if (end > sharedTextMaxBytes || this.#count >= sharedTextsMax)
      throw new Unreadable('The file holds too many different texts to load at once. Split it into several.')
    this.#makeRoom(end)
    this.#bytes.write(text, start)
    this.#ends[this.#count] = end
    this.#count += 1
  }

  get(index: number): string {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count))
      throw damaged('a cell names a text that is not there')
    return this.#bytes.toString('utf8', this.#endOf(index), this.#endOf(index + 1))
  }

  /** Where the text before ends, hence where this one starts. */
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
