/** Matches each column of a sheet to a part of the slice or to a column of the table. Pure. */
import { plainName } from '@tributary/contract/sheet-headings'
import { partTitles, type SlicePart, sliceParts } from '../slices.ts'

export interface MatchedHeadings {
  /** Position of each part of the slice in the sheet, from 0. */
  readonly parts: ReadonlyMap<SlicePart, number>
  /** The table's own columns in the sheet, with their positions from 0. */
  readonly own: readonly { readonly name: string; readonly at: number }[]
  readonly faults: readonly { readonly at: number; readonly message: string }[]
}

/** System columns, in addition to the parts of a slice. */
const reservedHeadings = new Set(['loadedby', 'loadedatutc', 'loadid', 'sliceid'])
/** Upper limit that every target accepts without truncation. */
const nameMaxBytes = 60

export interface HeadingInput {
  readonly columns: readonly string[]
  readonly kind: 'version' | 'helperTable'
  /** True for a column without values; without a heading, too, it is ignored. */
  isEmpty(at: number): boolean
  /** Column names in the table's spelling. */
  readonly known: readonly string[]
}

export function matchHeadings({ columns, kind, isEmpty, known }: HeadingInput): MatchedHeadings {
  const parts = new Map<SlicePart, number>()
  const own: { name: string; at: number }[] = []
  const faults: { at: number; message: string }[] = []
  const seen = new Set<string>()
  const spelt = new Map(known.map((name) => [plainName(name), name]))
  for (const [at, written] of columns.entries()) {
    const plain = plainName(written)
    if (plain === '' && isEmpty(at)) continue
    const message = seen.has(plain)
      ? `The heading ‘${written}’ is used twice. Rename one of the two columns.`
      : faultOf(written)
    seen.add(plain)
    const part = kind === 'version' ? sliceParts.find((each) => each === plain) : undefined
    if (message !== undefined) faults.push({ at, message })
    else if (part !== undefined) parts.set(part, at)
    else own.push({ name: spelt.get(plain) ?? written.normalize('NFC').trim(), at })
  }
  return { parts, own, faults }
}

function faultOf(written: string): string | undefined {
  if (plainName(written) === '') return 'The column has values and no heading. Give it one.'
  if (reservedHeadings.has(plainName(written)))
    return `Tributary writes the column ‘${written}’ itself. Leave it out, or name it differently.`
  if (/\p{Cc}|\p{Cs}/u.test(written))
    return 'The heading has a line break or another character that databases do not accept. Write it in one line.'
  if (Buffer.byteLength(written) > nameMaxBytes)
    return `The heading is longer than a database takes. Shorten it to ${nameMaxBytes} letters, of which those beyond A to Z count twice or more.`
  return undefined
}

/** A message for each part of the slice that the sheet lacks. */
export function missingParts(
  { parts }: MatchedHeadings,
  defaults: Partial<Record<SlicePart, string>>,
): readonly string[] {
  const missing = sliceParts.filter((part) => !parts.has(part) && (defaults[part] ?? '') === '')
  return missing.map((part) => `The sheet has no column ${partTitles[part]}. Add it, or choose one for all rows.`)
}
