/** Names that fit a target: short enough, and never two alike where the target does not tell capitals from small letters. */
import { createHash } from 'node:crypto'

export interface NameMax {
  readonly count: number
  readonly unit: 'bytes' | 'characters'
}

/** `_` and six hexadecimal digits. */
const markLength = 7

/** The name itself where it fits, else its beginning and a mark made of the whole, so that equal names stay equal for ever. */
export function fitName(name: string, max: NameMax): string {
  const plain = cleaned(name)
  return lengthOf(plain, max.unit) <= max.count ? plain : marked(plain, max)
}

/** What a target makes of names. */
export interface NameRules {
  /** Takes out of a name what the target cannot have there. */
  readonly allowed: (name: string) => string
  /** Two names are the same to the target where this gives the same. */
  readonly same: (name: string) => string
}

/**
 * Fits the names of one table or schema, each to a name of its own. Of those that the target takes for the same the first keeps its
 * name and the later ones are marked, so a name that is added at the end changes no other.
 */
export function fitNames(
  names: readonly string[],
  max: NameMax,
  { allowed = (name) => name, same = (name) => name.toLowerCase() }: Partial<NameRules> = {},
): ReadonlyMap<string, string> {
  const fitted = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    const plain = allowed(name)
    let fit = fitName(plain, max)
    // By the whole name of the source, for the target may have taken out what tells two apart.
    for (let round = 0; taken.has(same(fit)); round++) fit = markedAgain(cleaned(plain), name, max, round)
    taken.add(same(fit))
    fitted.set(name, fit)
  }
  return fitted
}

function markedAgain(plain: string, whole: string, max: NameMax, round: number): string {
  return marked(plain, max, round === 0 ? cleaned(whole) : `${cleaned(whole)}\u0000${round}`)
}

/** The beginning of a name with a mark of `whole`: for a name that is too long, or taken. */
export function marked(name: string, max: NameMax, whole = name): string {
  const hash = createHash('sha256').update(whole).digest('hex')
  return `${cut(name, { ...max, count: max.count - markLength })}_${hash.slice(0, markLength - 1)}`
}

function cleaned(name: string): string {
  const plain = name.replaceAll('\0', '').toWellFormed()
  return plain === '' ? 'unnamed' : plain
}

function lengthOf(name: string, unit: NameMax['unit']): number {
  return unit === 'bytes' ? Buffer.byteLength(name) : name.length
}

/** Never through the middle of a character. */
function cut(name: string, max: NameMax): string {
  let kept = ''
  let length = 0
  for (const character of name) {
    length += lengthOf(character, max.unit)
    if (length > max.count) break
    kept += character
  }
  return kept
}

/** Tables of Tributary begin with this, in a target and in a source that is a target, too. */
const reserved = /^tributary_/iu

/** Gives the tables of one source their names in a target: each another, and none that could be one of Tributary's own. */
export class TableNames {
  readonly #taken = new Set<string>()

  /** @param identity tells the table from every other of the source */
  give(wished: string, identity: string): string {
    const plain = reserved.test(wished) ? `source_${wished}` : wished
    const name = this.#taken.has(plain)
      ? marked(`${plain}\t${identity}`, { count: plain.length + markLength, unit: 'characters' })
      : plain
    this.#taken.add(name)
    return name
  }
}
