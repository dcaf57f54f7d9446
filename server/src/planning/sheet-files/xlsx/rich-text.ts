/** Joins the runs of a string item, without phonetic readings (`rPh`) of East Asian text. */

/** Receives the elements inside `<si>` or `<is>`. */
export class RichText {
  #text = ''
  #isInText = false
  #readings = 0

  open(name: string): void {
    if (name === 'rPh') this.#readings += 1
    if (name === 't') this.#isInText = this.#readings === 0
  }

  add(text: string): void {
    if (this.#isInText) this.#text += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#readings -= 1
    if (name === 't') this.#isInText = false
  }

  /** Returns the collected text and resets it. */
  take(): string {
    const text = unescaped(this.#text)
    this.#text = ''
    return text
  }
}

/** Decodes characters that XML forbids, which Excel writes as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
