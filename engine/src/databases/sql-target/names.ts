/** Names that fit a target: short enough, and distinct to the target, which may ignore capitals. */
import { createHash } from 'node:crypto'

export interface NameMax {
  readonly count: number
  readonly unit: 'bytes' | 'characters'
}

/** `_` and six hexadecimal digits. */
const markLength = 7

/** Returns the name if it fits, otherwise its beginning and a hash of the whole: equal names stay equal. */
export function fitName(name: string, max: NameMax): string {
  const plain = cleaned(name)
  return lengthOf(plain, max.unit) <= max.count ? plain : marked(plain, max)
}

/** Rules of a target for names. */
export interface NameRules {
  /** Replaces characters that the target does not allow. */
  readonly allowed: (name: string) => string
  /** Two names are the same to the target if this returns the same. */
  readonly same: (name: string) => string
}

/**
 * Fits the names of one table or schema to distinct names. Of names that are the same to the target, the first is kept and the later ones get
 * a hash, so a name added at the end changes no other.
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
    // By the whole name of the source: the difference between two names may be in the replaced characters.
    for (let round = 0; taken.has(same(fit)); round++) fit = markedAgain(cleaned(plain), name, max, round)
    taken.add(same(fit))
    fitted.set(name, fit)
  }
  return fitted
}

function markedAgain(plain: string, whole: string, max: NameMax, round: number): string {
  return marked(plain, max, round === 0 ? cleaned(whole) : `${cleaned(whole)}\u0000${round}`)
}

/** The beginning of a name with a hash of `whole`, for a name that is too long or taken. */
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

/** Cuts between characters only. */
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

/** Prefix of system tables, in targets and in sources that are targets, too. */
const reserved = /^tributary_/iu

/** Gives the tables of one source distinct names in a target, none of which could be a system table. */
export class SourceTableNames {
  readonly #taken = new Set<string>()

  /** @param identity distinguishes the table from all others of the source */
  give(wished: string, identity: string): string {
    const plain = reserved.test(wished) ? `source_${wished}` : wished
    const name = this.#taken.has(plain)
      ? marked(`${plain}\t${identity}`, { count: plain.length + markLength, unit: 'characters' })
      : plain
    this.#taken.add(name)
    return name
  }
}
