/** The fault card of a run: what happened, whether the data is still right, who must act, and how. */
import { stalledAfterMs } from '@tributary/contract/limits'
import type { FaultCard, Run, RunStream } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import {
  type FaultCardAction,
  faultCardTexts,
  dataNotices,
  type FaultCardText,
  severalTables,
} from './fault-messages.ts'
import { isTargetUnreachable } from '../execution/outcome.ts'

type Card = Camel<FaultCard>

/** The facts for a card. Times are ISO 8601, `now` is Unix time in milliseconds. */
export interface FaultCardInput {
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
  /** The SQL statement with which the database's owner fixes the fault. */
  readonly remedy: string | null
  /** Display name of the source. */
  readonly source: string
  /** When the last run before this one completed; null if none did. */
  readonly lastGoodAt: string | null
  /** Schema changes that need a decision now. */
  readonly pending: number
  /** The connector moves no data while a change is undecided. */
  readonly stopsOnChanges: boolean
  /** The target is unreachable, and the schedule resumes by itself once it is back. */
  readonly resumesByItself: boolean
  readonly now: number
}

/** Null if no action is needed: the run is active, was cancelled, or completed without problems. */
export function faultCard(input: FaultCardInput): Card | null {
  const text = textFor(input)
  if (text === null) return null
  const { run, streams, source, remedy, pending } = input
  const values = {
    source,
    until: run.retryAtUtc ?? '',
    rows: describeRows(run.rowsRejected),
    changes: describeChanges(pending),
    tables: tablesNotDone(streams),
  }
  const fill = (template: string) => template.replaceAll(/\{(\w+)\}/gu, (_, name: keyof typeof values) => values[name])
  const notice = run.faultCode === manyStreams ? null : run.notice
  return {
    title: fill(text.title),
    what: fill(text.what ?? notice ?? text.fallback ?? severalTables),
    ...dataOf(input),
    who: fill(text.who),
    action: actionOf(text.action, { label: fill(text.action.label), remedy, at: run.retryAtUtc }),
  }
}

/** The fault code of a run in which several streams failed. */
const manyStreams = 'engine.streams_failed'
/** The fault code of a run in which some of several companies failed. */
const someCompanies = 'companies.some_failed'

function textFor(input: FaultCardInput): FaultCardText | null {
  const { run, pending } = input
  switch (run.status) {
    case 'WAITING':
      return run.faultKind === 'busy' ? faultCardTexts.waiting : faultCardTexts.tryingAgain
    case 'QUEUED':
    case 'RUNNING':
      return input.now - Date.parse(run.queuedAtUtc) >= stalledAfterMs ? faultCardTexts.stalled : null
    case 'COMPLETED':
      // A completed run has a notice only if changes were undecided.
      if (run.notice !== null && pending > 0) return faultCardTexts.changesWait
      return run.rowsRejected > 0 ? faultCardTexts.rowsRejected : null
    case 'FAILED':
      return failedText(input)
    default:
      return null
  }
}

function failedText(input: FaultCardInput): FaultCardText {
  const { run, remedy, resumesByItself } = input
  const code = run.faultCode ?? ''
  if (isTargetUnreachable(code)) return resumesByItself ? faultCardTexts.targetAway : faultCardTexts.targetWasAway
  if (code === someCompanies) return textOfCompanies(run.faultKind)
  const text = textByCode(code) ?? textByKind(input)
  // A statement that fixes the fault is more useful than any other action.
  const canCopy = remedy !== null && run.faultKind === 'settings'
  return canCopy ? { ...text, who: faultCardTexts.rightMissing.who, action: faultCardTexts.rightMissing.action } : text
}

function textOfCompanies(kind: FaultCardInput['run']['faultKind']): FaultCardText {
  const { passing, someCompanies: text } = faultCardTexts
  return kind === 'passing' ? { ...passing, title: text.title } : text
}

/** Texts for fault codes that are more specific than their kind. */
function textByCode(code: string): FaultCardText | null {
  switch (code) {
    case 'engine.shrink_guard':
      return faultCardTexts.guarded
    case 'target.login_refused':
      return faultCardTexts.targetSignIn
    case 'target.too_many_rejected':
      return faultCardTexts.data
    default:
      if (code.endsWith('.object_unreadable')) return faultCardTexts.unreadable
      if (isTableBusy.test(code)) return faultCardTexts.tableBusy
      return isTableRefused.test(code) ? faultCardTexts.refusedTable : null
  }
}

/** The connection held, but the table was locked or changed, or its statement was stopped. */
const isTableBusy =
  /\.(?:locked|lock_wait|deadlock|conflict|stopped|statement_too_slow|changed|changed_meanwhile|stream_held|names_held)$/u
const isTableRefused = /\.(?:table_refused|too_many_columns|unfit)$/u

function textByKind({ run, remedy, pending, stopsOnChanges }: FaultCardInput): FaultCardText {
  const isOfSeveral = run.faultCode === manyStreams
  switch (run.faultKind) {
    case 'settings':
      if (isOfSeveral) return faultCardTexts.several
      if (remedy !== null) return faultCardTexts.rightMissing
      return stopsOnChanges && pending > 0 ? faultCardTexts.changesStop : faultCardTexts.settings
    case 'data':
      if (run.rowsRejected > 0) return faultCardTexts.data
      return isOfSeveral
        ? { ...faultCardTexts.dataRefused, title: faultCardTexts.several.title }
        : faultCardTexts.dataRefused
    case 'passing':
      return isOfSeveral ? { ...faultCardTexts.passing, title: faultCardTexts.several.title } : faultCardTexts.passing
    default:
      return faultCardTexts[run.faultKind ?? 'bug']
  }
}

function actionOf(
  { kind }: FaultCardAction,
  { label, remedy, at }: { label: string; remedy: string | null; at: string | null },
): Card['action'] {
  return { kind, label, copy: kind === 'copy' ? remedy : null, atUtc: kind === 'wait' ? at : null }
}

function dataOf(input: FaultCardInput): Pick<Card, 'data' | 'dataNotice'> {
  const { run, streams, lastGoodAt: since } = input
  const done = streams.filter(({ phase }) => phase === 'done').length
  if (run.status === 'COMPLETED')
    return {
      data: 'partly',
      dataNotice:
        run.notice === null ? dataNotices.allButRows(describeRows(run.rowsRejected)) : dataNotices.allButWaiting,
    }
  if (run.faultCode === someCompanies) return { data: 'partly', dataNotice: dataNotices.someCompanies }
  if (done > 0 && done === streams.length) return { data: 'right', dataNotice: dataNotices.allDone }
  if (done > 0) return { data: 'partly', dataNotice: dataNotices.someDone(done, streams.length, since) }
  if (run.rowsWritten + run.rowsDeleted > 0) return { data: 'partly', dataNotice: dataNotices.begun(since) }
  return since === null
    ? { data: 'missing', dataNotice: dataNotices.nothing }
    : { data: 'right', dataNotice: dataNotices.asBefore(since) }
}

const namesShown = 5

function tablesNotDone(streams: FaultCardInput['streams']): string {
  const names = streams.filter(({ phase }) => phase === 'failed').map(({ name }) => name)
  const more = names.length - namesShown
  return `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function describeRows(count: number): string {
  return count === 1 ? 'One row' : `${count.toLocaleString('en-GB')} rows`
}

function describeChanges(count: number): string {
  return count === 1 ? 'One change' : `${count} changes`
}
