/** What each column of a sheet is: part of the slice, a column of the table, or nothing. Pure. */
import { plainName } from '@tributary/contract/sheet-headings'
import { partTitles, type SlicePart, sliceParts } from '../slices.ts'

export interface Headings {
  /** Where in the sheet, counted from 0, each part of the slice stands. */
  readonly parts: ReadonlyMap<SlicePart, number>
  /** The table's own columns of the sheet, with where they stand. */
  readonly own: readonly { readonly name: string; readonly at: number }[]
  readonly faults: readonly { readonly at: number; readonly message: string }[]
}

/** Ours, beside the parts of a slice. */
const taken = new Set(['loadedby', 'loadedatutc', 'loadid', 'sliceid'])
/** What every target takes as it is. */
const nameMaxBytes = 60

export interface Heading {
  readonly columns: readonly string[]
  readonly kind: 'version' | 'helperTable'
  /** Columns without a heading that hold nothing are no columns. */
  isEmpty(at: number): boolean
  /** As the table writes them. */
  readonly known: readonly string[]
}

export function readHeadings({ columns, kind, isEmpty, known }: Heading): Headings {
  const parts = new Map<SlicePart, number>()
  const own: { name: string; at: number }[] = []
  const faults: { at: number; message: string }[] = []
  const seen = new Set<string>()
  const spelt = new Map(known.map((name) => [plainName(name), name]))
  for (const [at, written] of columns.entries()) {
    const plain = plainName(written)
    if (plain === '' && isEmpty(at)) continue
    const message = seen.has(plain)
      ? `The heading ‘${written}’ is there twice. Name one of the two differently.`
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
  if (taken.has(plainName(written)))
    return `Tributary writes the column ‘${written}’ itself. Leave it out, or name it differently.`
  if (/\p{Cc}|\p{Cs}/u.test(written))
    return 'The heading has a line break or another character that no database takes. Write it in one line.'
  if (Buffer.byteLength(written) > nameMaxBytes)
    return `The heading is longer than a database takes. Shorten it to ${nameMaxBytes} letters, of which those beyond A to Z count twice or more.`
  return undefined
}

/** What a sheet lacks. */
export function missingParts({ parts }: Headings, defaults: Partial<Record<SlicePart, string>>): readonly string[] {
  const missing = sliceParts.filter((part) => !parts.has(part) && (defaults[part] ?? '') === '')
  return missing.map((part) => `The sheet has no column ${partTitles[part]}. Add it, or choose one for all rows.`)
}
