/** Drafts a description from a sample reply of a list. */
import { pointerTo } from '../../described/pointer.ts'
import { type RestDraft, UniqueNames } from './draft-model.ts'
import { DraftRefused } from './draft-refused.ts'
import {
  likelyChangedAt,
  likelyChanges,
  likelyKey,
  likelyList,
  likelyPaging,
  likelySince,
  singular,
} from './guesses.ts'
import { addressParts, type AddressParts } from './sample-address.ts'
import { isUniqueIn, sampleTable } from './sample-columns.ts'
import { isSampleList, isSampleObject, parseSample, type SampleObject, type SampleValue } from './sample-json.ts'

/** @param address with which the sample was read, with its parameters; absent: not known */
export function draftFromSample(text: string, address: string | undefined): RestDraft {
  const sample = parseOrRefuse(text)
  const from = addressParts(address)
  const { records, at } = findRecords(sample, from.lastOfPath)
  const tables = new UniqueNames()
  const name = tables.take(singular(from.lastOfPath))
  const { columns, children } = sampleTable(name, records, tables)
  if (columns.length === 0)
    throw new DraftRefused('The records of the sample have no values. Use a reply with at least one filled record.')
  const key = likelyKey(name, columns, (column) =>
    columns.some((one) => one.name === column && isUniqueIn(records, one)),
  )
  const keyColumn = columns.find((column) => column.name === key.value[0])
  const members = isSampleObject(sample) ? plainMembers(sample) : []
  const paging = likelyPaging({
    parameters: from.parameters,
    members,
    ...(from.rows !== null && { rowsMax: from.rows }),
    ...(keyColumn !== undefined && { keyAt: keyColumn.at }),
  })
  const changedAt = likelyChangedAt(columns)
  const changes = key.value.length === 0 ? undefined : likelyChanges(changedAt, likelySince(from.parameters))
  return {
    title: from.title,
    base: from.base,
    settings: { token: { label: 'Access token', kind: 'secret' } },
    signIn: { value: { kind: 'bearer', token: 'token' }, check: 'how the API knows who calls' },
    streams: [
      {
        name,
        path: from.path,
        ...(Object.keys(from.query).length > 0 && { query: from.query }),
        records: at,
        paging,
        key,
        ...(changes !== undefined && { changes }),
        columns,
        children,
      },
    ],
    notes: notesOf({ from, rows: records.length, changedAt: changes === undefined ? changedAt?.name : undefined }),
  }
}

function parseOrRefuse(text: string): SampleValue {
  try {
    return parseSample(text)
  } catch (error) {
    throw new DraftRefused(`The sample is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

interface FoundRecords {
  readonly records: readonly SampleObject[]
  readonly at: string
}

/** The list of records in a reply: the reply itself, or one of its members, at most two levels deep. */
function findRecords(sample: SampleValue, lastOfPath: string): FoundRecords {
  if (isRecords(sample)) return { records: sample, at: '' }
  if (isSampleObject(sample)) {
    const found = listIn(sample, '', lastOfPath) ?? deeperList(sample, lastOfPath)
    if (found !== null) return found
  }
  throw new DraftRefused(
    'The sample has no list of records. Use the reply of a call that lists records, with at least one.',
  )
}

function listIn(object: SampleObject, at: string, lastOfPath: string): FoundRecords | null {
  const lists = Object.entries(object).filter(([, value]) => isRecords(value))
  const name = likelyList(
    lists.map(([member]) => member),
    lastOfPath,
  )
  const records = name === null ? undefined : object[name]
  return name !== null && isRecords(records) ? { records, at: at + pointerTo(name) } : null
}

function deeperList(object: SampleObject, lastOfPath: string): FoundRecords | null {
  for (const [member, value] of Object.entries(object)) {
    const found = isSampleObject(value) ? listIn(value, pointerTo(member), lastOfPath) : null
    if (found !== null) return found
  }
  return null
}

function isRecords(value: SampleValue | undefined): value is readonly SampleObject[] {
  return isSampleList(value) && value.length > 0 && value.every(isSampleObject)
}

/** Pointers of the members that are no lists, two levels deep. */
function plainMembers(object: SampleObject, at = ''): readonly string[] {
  return Object.entries(object).flatMap(([member, value]) => {
    if (isSampleList(value)) return []
    const pointer = at + pointerTo(member)
    return isSampleObject(value) && at === '' ? plainMembers(value, pointer) : [pointer]
  })
}

interface SampleFacts {
  readonly from: AddressParts
  readonly rows: number
  readonly changedAt: string | undefined
}

function notesOf({ from, rows, changedAt }: SampleFacts): readonly string[] {
  return [
    `Types were read from ${rows} ${rows === 1 ? 'record' : 'records'}. Members that no record has are missing.`,
    ...(from.isKnown ? [] : ['The address of the sample is not known, so base, path and parameters are placeholders.']),
    ...(changedAt === undefined
      ? []
      : [
          `${changedAt} looks like the moment of the last change. If the list takes the earliest moment as a parameter, describe it as changes: { kind: cursor }.`,
        ]),
  ]
}
