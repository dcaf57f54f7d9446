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

/**
 * Fits the names of one table or schema, each to a name of its own. Where two differ only in capitals the first keeps its
 * name and the later ones are marked, so a name that is added at the end changes no other.
 */
export function fitNames(names: readonly string[], max: NameMax): ReadonlyMap<string, string> {
  const fitted = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    let fit = fitName(name, max)
    for (let round = 0; taken.has(fit.toLowerCase()); round++) fit = markedAgain(cleaned(name), max, round)
    taken.add(fit.toLowerCase())
    fitted.set(name, fit)
  }
  return fitted
}

function markedAgain(name: string, max: NameMax, round: number): string {
  return marked(name, max, round === 0 ? name : `${name}\u0000${round}`)
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
