/** Proves a stream with calls to the live account that only read: paging, types, order and limits. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { ConnectionContext } from '../../../ports/source.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import type { Changes } from '../../described/description/schema-changes.ts'
import type { DescribedSettings } from '../../described/settings.ts'
import { millisecondsOf } from '../../described/moments.ts'
import { type LiveRead, readLive } from './live-read.ts'
import { pageRowsOf, withPageRows } from './page-size.ts'
import { liveChecks, type Proof } from './verdict.ts'

export interface LiveProofRequest {
  readonly description: SourceDescription
  readonly settings: DescribedSettings
  readonly stream: string
  /** Further secrets to mask, such as an access token. */
  readonly secrets?: readonly string[]
}

type Outcome = Pick<Proof, 'verdict' | 'why'>

const rowsMax = 300
const dayMs = 86_400_000

/** Yields the proofs in order, each as soon as it is known. */
export async function* proveLive(request: LiveProofRequest, around: ConnectionContext): AsyncGenerator<Proof> {
  const first = await readLive({ ...request, rowsMax }, around)
  if ('fault' in first) {
    for (const check of liveChecks)
      yield { stream: request.stream, check, ...notProven(`The read failed: ${first.fault}`) }
    return
  }
  yield { stream: request.stream, check: 'paging', ...(await provePaging(request, first, around)) }
  yield { stream: request.stream, check: 'types', ...proveTypes(first) }
  yield { stream: request.stream, check: 'order', ...(await proveOrder(request, first, around)) }
  yield { stream: request.stream, check: 'limits', ...proveLimits(request.description, first) }
}

function notProven(why: string): Outcome {
  return { verdict: 'notProven', why }
}

function provenLive(why: string): Outcome {
  return { verdict: 'provenLive', why }
}

async function provePaging(request: LiveProofRequest, first: LiveRead, around: ConnectionContext): Promise<Outcome> {
  const { description, stream } = request
  const rows = pageRowsOf(description, stream)
  const repeated = first.keys.length - new Set(first.keys).size
  if (repeated > 0)
    return notProven(
      `${repeated} of ${first.keys.length} rows have a key that was read before: the key does not identify a row, or pages overlap.`,
    )
  if (rows === null)
    return notProven(
      `The size of a page cannot be chosen, so two sizes cannot be compared. ${first.pages} pages were read without a loop or a repeated key.`,
    )
  if (first.keys.length < 3) return notProven(`The list has ${first.keys.length} rows, too few for two pages.`)
  const smaller = Math.max(2, Math.min(7, Math.floor(first.keys.length / 3), rows - 1))
  if (smaller >= rows) return notProven('Pages of 2 rows cannot be made smaller.')
  const second = await readLive(
    {
      ...request,
      description: withPageRows(description, stream, smaller),
      rowsMax: Math.min(rowsMax, first.keys.length),
    },
    around,
  )
  if ('fault' in second) return notProven(`With pages of ${smaller} rows, the read failed: ${second.fault}`)
  return comparePages({ first, second, rows, smaller })
}

interface TwoReads {
  readonly first: LiveRead
  readonly second: LiveRead
  readonly rows: number
  readonly smaller: number
}

function comparePages({ first, second, rows, smaller }: TwoReads): Outcome {
  const both = first.isComplete && second.isComplete
  const count = both ? Math.max(first.keys.length, second.keys.length) : Math.min(first.keys.length, second.keys.length)
  const others = new Set(second.keys.slice(0, count))
  const missing = first.keys.slice(0, count).filter((key) => !others.has(key))
  if (missing.length > 0 || others.size !== Math.min(count, first.keys.length))
    return notProven(
      `Pages of ${rows} and of ${smaller} rows differ: ${missing.length} of the first ${count} rows are missing in the smaller pages, such as ${missing[0]?.slice(0, 100) ?? 'none, but others are new'}. The list may have changed meanwhile; otherwise its paging is described wrongly.`,
    )
  if (second.pages < 2)
    return notProven(`The API gave all ${count} rows on one page although ${smaller} were asked for.`)
  return provenLive(`The first ${count} rows were the same in pages of ${rows} and of ${smaller} rows, without a loop.`)
}

function proveTypes({ tables, misfits, main }: LiveRead): Outcome {
  const [misfit] = misfits
  if (misfit !== undefined)
    return notProven(
      `${misfits.length} values do not fit: ${misfit.table}.${misfit.column} (${misfit.pointer}), row ${misfit.row}, has ${misfit.value} instead of ${misfit.wanted}.`,
    )
  if (main.rowsRead === 0) return notProven('The list has no rows.')
  const unseen = tables.flatMap(({ name, columns }) =>
    columns.filter(({ isSeen }) => !isSeen).map((column) => `${name}.${column.name}`),
  )
  const fits = `All values of ${main.rowsRead} rows fit.`
  if (unseen.length === 0) return provenLive(fits)
  const shown = unseen.slice(0, 20).join(', ')
  return notProven(
    `${fits} No row has a value of ${shown}${unseen.length > 20 ? ' and others' : ''}: check where these are in the reply.`,
  )
}

async function proveOrder(request: LiveProofRequest, first: LiveRead, around: ConnectionContext): Promise<Outcome> {
  const { description, stream } = request
  const changes =
    description.engine === 'rest' ? description.streams[stream]?.changes : description.sets[stream]?.changes
  if (changes === undefined) return provenLive('The description promises nothing: each run reads the whole list.')
  if (description.engine === 'rest' && (changes.kind === 'cursor' || changes.kind === 'windows') && 'column' in changes)
    return proveBound({ request, first, around }, changes)
  if (!first.isComplete || first.checkpoint === null)
    return notProven(`The list has more than ${first.keys.length} rows, so the read of changes after it was not tried.`)
  const second = await readLive({ ...request, since: first.checkpoint, rowsMax }, around)
  if ('fault' in second) return notProven(`The read of changes failed: ${second.fault}`)
  return provenLive(`A read of changes after the whole list succeeded with ${second.main.rowsRead} rows.`)
}

interface BoundProof {
  readonly request: LiveProofRequest
  readonly first: LiveRead
  readonly around: ConnectionContext
}

type BoundChanges = Changes & { readonly kind: 'cursor' | 'windows' }

/** Asks for what changed since the middle of the known rows: none may be older, and none may be missing. */
async function proveBound({ request, first, around }: BoundProof, changes: BoundChanges): Promise<Outcome> {
  const known = stampsOf(first, changes.column)
  const middle = [...known.values()].toSorted((one, other) => one - other)[Math.floor(known.size / 2)]
  if (middle === undefined) return notProven(`No row has a value of ${changes.column}.`)
  const overlapMs = changes.kind === 'cursor' ? changes.overlapSeconds * 1_000 : changes.againDays * dayMs
  const since: Checkpoint = { until: middle + overlapMs, isComplete: true }
  const second = await readLive({ ...request, since, rowsMax }, around)
  if ('fault' in second) return notProven(`The read of changes failed: ${second.fault}`)
  const found = stampsOf(second, changes.column)
  const tooOld = [...found.values()].filter((at) => at < middle - roundingMs(changes)).length
  if (tooOld > 0)
    return notProven(
      `${tooOld} of ${found.size} rows are older than the moment that was asked for: the API ignores the parameter, or it means something else.`,
    )
  const missing = [...known].filter(([key, at]) => at >= middle && !found.has(key)).length
  if (second.isComplete && missing > 0)
    return notProven(
      `${missing} rows with a later moment are missing in the read of changes: the bound is not included, or the moment is another one.`,
    )
  const order = changes.kind === 'cursor' && changes.order === 'ascending' ? ' They came in the promised order.' : ''
  return provenLive(
    `A read since the middle of the known rows gave ${found.size} rows, none too old and none missing.${order}`,
  )
}

/** The parameter is rounded down; windows begin with a day. */
function roundingMs(changes: BoundChanges): number {
  return changes.kind === 'windows' || changes.from.format === 'date' ? dayMs : 1_000
}

/** Moments of a column by key, in milliseconds since 1970. */
function stampsOf({ main, keys }: LiveRead, column: string): ReadonlyMap<string, number> {
  const at = main.columns.findIndex(({ name }) => name === column)
  const stamps = new Map<string, number>()
  for (const [index, row] of main.rows.entries()) {
    const text = row[at] ?? null
    const moment = text === null ? NaN : millisecondsOf(text, 'iso', 'UTC')
    if (moment !== null && !Number.isNaN(moment)) stamps.set(keys[index] ?? '', moment)
  }
  return stamps
}

function proveLimits({ pace }: SourceDescription, { exchanges }: LiveRead): Outcome {
  const refused = exchanges.filter(({ status }) => status === 429).length
  if (refused > 0)
    return notProven(
      `${refused} of ${exchanges.length} calls were refused with 429: the pace is too fast, or others use the key.`,
    )
  const { remainingHeader } = pace
  const names = new Set(exchanges.flatMap(({ headers }) => Object.keys(headers)))
  if (remainingHeader !== undefined) {
    const isNumber = exchanges.some(({ headers }) => /^\d+$/u.test(String(headers[remainingHeader] ?? '')))
    return isNumber
      ? provenLive(`Replies have ${remainingHeader}, which sets the pace. No call was refused.`)
      : notProven(`No reply has a number in ${remainingHeader}.`)
  }
  const likely = [...names].find((name) => /rate-?limit.*remaining|remaining.*rate-?limit/iu.test(name))
  if (likely !== undefined) return notProven(`Replies have the header ${likely}: name it as remainingHeader.`)
  return notProven(
    `Replies name no limit, so only the API’s documentation confirms ${pace.calls} calls in ${pace.seconds} s. None of ${exchanges.length} calls was refused.`,
  )
}
