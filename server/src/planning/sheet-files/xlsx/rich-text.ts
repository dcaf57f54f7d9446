/** The text of a string item: its runs put together, without the readings that eastern Asian texts carry along. */

/** Fed with the elements inside `<si>` or `<is>`. */
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

  /** What was gathered; the next one starts empty. */
  take(): string {
    const text = unescaped(this.#text)
    this.#text = ''
    return text
  }
}

/** Excel writes letters that XML forbids as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
