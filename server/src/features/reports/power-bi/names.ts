/** Names of the objects of a semantic model, and how DAX refers to them. */

/** The name without characters that end a line or are invisible, and without spaces at the ends, which Power BI drops. */
export function modelName(name: string, otherwise: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim() || otherwise
}

/** Hands out names that differ by more than their case, as Power BI requires. A name that is taken gets a number. */
export class UniqueNames {
  readonly #taken: Set<string>

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved.map(folded))
  }

  has(name: string): boolean {
    return this.#taken.has(folded(name))
  }

  take(name: string): string {
    for (let number = 1; ; number += 1) {
      const unique = number === 1 ? name : `${name} ${number}`
      if (this.has(unique)) continue
      this.#taken.add(folded(unique))
      return unique
    }
  }
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** `profit_and_loss` as people write it: `Profit and loss`. */
export function humanised(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/ +/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function daxTable(table: string): string {
  return `'${table.replaceAll("'", "''")}'`
}

export function daxColumn(table: string, column: string): string {
  return `${daxTable(table)}${daxMeasure(column)}`
}

export function daxMeasure(measure: string): string {
  return `[${measure.replaceAll(']', ']]')}]`
}

/** DAX has no escapes for line breaks, so control characters are joined by their number. */
export function daxText(value: string): string {
  const parts = value.split(/(\p{Cc})/u).filter((part) => part !== '')
  const text = (part: string) =>
    /\p{Cc}/u.test(part) ? `UNICHAR(${part.codePointAt(0)})` : `"${part.replaceAll('"', '""')}"`
  return parts.length === 0 ? '""' : parts.map(text).join(' & ')
}

/** A file name of at most 60 characters that every system accepts. Names that differ only in other characters get a number. */
export function fileName(name: string, taken: UniqueNames): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ()_-]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  const short = plain.slice(0, 56).trim()
  return taken.take(reservedOnWindows.test(short) || short === '' ? `_${short}` : short)
}

const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i
