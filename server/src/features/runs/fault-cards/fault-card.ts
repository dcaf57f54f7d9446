/** What a run that is not well says to people: what happened, whether the figures are still right, who must act, and how. */
import { stalledAfterMs } from '@tributary/contract/limits'
import type { FaultCard, Run, RunStream } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { type Action, cards, dataWords, type Words } from './fault-messages.ts'
import { isTargetAway } from '../execution/outcome.ts'

type Card = Camel<FaultCard>

/** All that a card is made from. Times in ISO 8601. */
export interface Situation {
  readonly run: Pick<
    Camel<Run>,
    | 'status'
    | 'queuedAtUtc'
    | 'retryAtUtc'
    | 'faultKind'
    | 'faultCode'
    | 'notice'
    | 'rowsWritten'
    | 'rowsDeleted'
    | 'rowsRejected'
  >
  readonly streams: readonly Pick<Camel<RunStream>, 'name' | 'phase' | 'notice'>[]
  /** The statement by which the database's owner mends it. */
  readonly remedy: string | null
  /** What the source is called. */
  readonly source: string
  /** When the last run before this one completed; null where none has. */
  readonly lastGoodAt: string | null
  /** Changes of the source's tables that wait for a decision now. */
  readonly pending: number
  /** Nothing is moved while a change waits. */
  readonly stopsOnChanges: boolean
  /** The target does not answer, and the schedule goes on by itself once it does. */
  readonly resumesByItself: boolean
  readonly timeZone: string
  readonly now: number
}

/** Null for a run that needs nobody: one that goes on, one that somebody stopped, one that brought everything. */
export function faultCard(situation: Situation): Card | null {
  const words = wordsFor(situation)
  if (words === null) return null
  const { run, streams, source, remedy, pending } = situation
  const until = run.retryAtUtc === null ? '' : clockTime(situation, run.retryAtUtc)
  const values = {
    source,
    until,
    rows: rowsOf(run.rowsRejected),
    changes: changesOf(pending),
    tables: tablesNotDone(streams),
  }
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/gu, (_, name: keyof typeof values) => values[name])
  const notice = run.faultCode === manyStreams ? null : run.notice
  return {
    title: fill(words.title),
    what: fill(words.what ?? notice ?? words.otherwise),
    ...dataOf(situation),
    who: fill(words.who),
    action: actionOf(words.action, { label: fill(words.action.label), remedy, at: run.retryAtUtc }),
  }
}

/** The fault that stands for those of several streams. */
const manyStreams = 'engine.streams_failed'

function wordsFor(situation: Situation): Words | null {
  const { run, pending } = situation
  switch (run.status) {
    case 'WAITING':
      return run.faultKind === 'busy' ? cards.waiting : cards.tryingAgain
    case 'QUEUED':
    case 'RUNNING':
      return situation.now - Date.parse(run.queuedAtUtc) >= stalledAfterMs ? cards.stalled : null
    case 'COMPLETED':
      // A completed run has something to say only where changes were waiting.
      if (run.notice !== null && pending > 0) return cards.changesWait
      return run.rowsRejected > 0 ? cards.rowsRejected : null
    case 'FAILED':
      return failedWords(situation)
    default:
      return null
  }
}

function failedWords(situation: Situation): Words {
  const { run, remedy, resumesByItself } = situation
  const code = run.faultCode ?? ''
  if (isTargetAway(code)) return resumesByItself ? cards.targetAway : cards.targetWasAway
  const words = wordsByCode(code) ?? wordsByKind(situation)
  // A statement that mends it is worth more than any other action.
  const canCopy = remedy !== null && run.faultKind === 'settings'
  return canCopy ? { ...words, who: cards.rightMissing.who, action: cards.rightMissing.action } : words
}

/** The faults that say more than their kind does. */
function wordsByCode(code: string): Words | null {
  switch (code) {
    case 'engine.shrink_guard':
      return cards.guarded
    case 'target.login_refused':
      return cards.targetSignIn
    case 'target.too_many_rejected':
      return cards.data
    default:
      if (code.endsWith('.object_unreadable')) return cards.unreadable
      if (isTableBusy.test(code)) return cards.tableBusy
      return isTableRefused.test(code) ? cards.refusedTable : null
  }
}

/** Locked, changed just now, or its statement stopped: the connection held. */
const isTableBusy =
  /\.(?:locked|lock_wait|deadlock|conflict|stopped|statement_too_slow|changed|changed_meanwhile|stream_held|names_held)$/u
const isTableRefused = /\.(?:table_refused|too_many_columns|unfit)$/u

function wordsByKind({ run, remedy, pending, stopsOnChanges }: Situation): Words {
  const isOfSeveral = run.faultCode === manyStreams
  switch (run.faultKind) {
    case 'settings':
      if (isOfSeveral) return cards.several
      if (remedy !== null) return cards.rightMissing
      return stopsOnChanges && pending > 0 ? cards.changesStop : cards.settings
    case 'data':
      if (run.rowsRejected > 0) return cards.data
      return isOfSeveral ? { ...cards.dataRefused, title: cards.several.title } : cards.dataRefused
    case 'passing':
      return isOfSeveral ? { ...cards.passing, title: cards.several.title } : cards.passing
    default:
      return cards[run.faultKind ?? 'bug']
  }
}

function actionOf(
  { kind }: Action,
  { label, remedy, at }: { label: string; remedy: string | null; at: string | null },
): Card['action'] {
  return { kind, label, copy: kind === 'copy' ? remedy : null, atUtc: kind === 'wait' ? at : null }
}

function dataOf(situation: Situation): Pick<Card, 'data' | 'dataNotice'> {
  const { run, streams, lastGoodAt } = situation
  const done = streams.filter(({ phase }) => phase === 'done').length
  const since = lastGoodAt === null ? null : clockTime(situation, lastGoodAt)
  if (run.status === 'COMPLETED')
    return {
      data: 'partly',
      dataNotice: run.notice === null ? dataWords.allButRows(rowsOf(run.rowsRejected)) : dataWords.allButWaiting,
    }
  if (done > 0 && done === streams.length) return { data: 'right', dataNotice: dataWords.allDone }
  if (done > 0) return { data: 'partly', dataNotice: dataWords.someDone(done, streams.length, since) }
  if (run.rowsWritten + run.rowsDeleted > 0) return { data: 'partly', dataNotice: dataWords.begun(since) }
  return since === null
    ? { data: 'missing', dataNotice: dataWords.nothing }
    : { data: 'right', dataNotice: dataWords.asBefore(since) }
}

const namesShown = 5

function tablesNotDone(streams: Situation['streams']): string {
  const names = streams.filter(({ phase }) => phase === 'failed').map(({ name }) => name)
  const more = names.length - namesShown
  return `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function rowsOf(count: number): string {
  return count === 1 ? 'One row' : `${count.toLocaleString('en-GB')} rows`
}

function changesOf(count: number): string {
  return count === 1 ? 'One change' : `${count} changes`
}

/** On the organisation's clock: the time today, else with its day. */
function clockTime({ timeZone, now }: Situation, at: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(Date.parse(at))
  return day.format(now) === day.format(Date.parse(at)) ? time : `${day.format(Date.parse(at))}, ${time}`
}
