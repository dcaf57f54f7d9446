/**
 * All texts of fault cards. The placeholders `{source}`, `{until}`, `{rows}`, `{changes}` and `{tables}` are filled
 * in.
 */
import type { FaultCard } from '@tributary/contract/runs'

export interface FaultCardAction {
  readonly kind: FaultCard['Action']['Kind']
  readonly label: string
}

export interface FaultCardText {
  readonly title: string
  /** Replaces the run's own notice. */
  readonly what?: string
  /** For runs without a notice, and for those with several failed streams. Default: `severalTables`. */
  readonly fallback?: string
  readonly who: string
  readonly action: FaultCardAction
}

const administrators = 'An administrator of your organisation.'
const databaseOwner = 'The administrator of the database.'
const noAction = 'No one. The run continues by itself.'
export const severalTables = 'Some tables could not be updated: {tables}. The reason is shown below with each table.'
const refreshAgain = { kind: 'retry', label: 'Refresh again' } as const
const editSettings = { kind: 'edit', label: 'Edit the settings' } as const

export const faultCardTexts = {
  settings: {
    title: 'The settings need a change',
    who: administrators,
    action: editSettings,
  },
  rightMissing: {
    title: 'A right is missing in the database',
    who: databaseOwner,
    action: { kind: 'copy', label: 'Copy the statement' },
  },
  changesStop: {
    title: 'The source’s tables have changed',
    fallback: '{changes} of the source’s tables must be decided on before any data is moved.',
    who: administrators,
    action: { kind: 'reviewChanges', label: 'Decide on the changes' },
  },
  changesWait: {
    title: '{changes} of the source’s tables to decide on',
    fallback: 'Their tables are not updated before the decision.',
    who: administrators,
    action: { kind: 'reviewChanges', label: 'Decide on the changes' },
  },
  signIn: {
    title: '{source} refused the credentials',
    fallback:
      'The user name, the password or the key is no longer accepted. The schedule is paused until you enter them again.',
    who: 'An administrator who knows the credentials.',
    action: { kind: 'reconnect', label: 'Reconnect' },
  },
  targetSignIn: {
    title: 'The target refused the credentials',
    fallback:
      'The user name or the password of the target is no longer accepted. The schedule is paused until you enter them again.',
    who: 'An administrator who knows the credentials.',
    action: editSettings,
  },
  unreadable: {
    title: '{source} cannot read one of its own tables or views',
    who: databaseOwner,
    action: refreshAgain,
  },
  refusedTable: {
    title: 'The target cannot hold a table as it is',
    who: administrators,
    action: editSettings,
  },
  several: {
    title: 'Some tables could not be moved',
    who: administrators,
    action: editSettings,
  },
  someCompanies: {
    title: 'Some companies could not be read',
    who: administrators,
    action: { kind: 'edit', label: 'See the companies' },
  },
  busy: {
    title: 'The rate limit of {source} is used up',
    fallback:
      'The source allows no more calls for now. No data is lost; the next run continues where this one stopped.',
    who: 'No one, if the connector has a schedule. Otherwise refresh again later.',
    action: refreshAgain,
  },
  waiting: {
    title: 'Waiting for {source} until {until}',
    fallback: 'The source allows no more calls for now.',
    who: noAction,
    action: { kind: 'wait', label: 'Continues at {until}' },
  },
  tryingAgain: {
    title: 'Trying again at {until}',
    fallback: 'The source or the target did not answer.',
    who: noAction,
    action: { kind: 'wait', label: 'Continues at {until}' },
  },
  stalled: {
    title: 'This run takes unusually long',
    what: 'It started more than half an hour ago and has not finished. A large first load can take this long; so can a source that has stopped answering.',
    who: 'You, if you need the data now. A new run ends this one and continues where it stopped.',
    action: { kind: 'retry', label: 'Start a new run' },
  },
  passing: {
    title: 'The connection did not hold',
    fallback: 'Several attempts failed in a row. No data is lost; the next run continues where this one stopped.',
    who: 'The operator of the source, if it happens again.',
    action: refreshAgain,
  },
  tableBusy: {
    title: 'A table could not be moved for now',
    fallback: 'Several attempts failed in a row. No data is lost; the next run continues where this one stopped.',
    who: 'The administrator of the database, if it happens again.',
    action: refreshAgain,
  },
  targetAway: {
    title: 'The target does not answer',
    fallback: 'Scheduled runs are paused. Once the target answers, a single run catches up.',
    who: 'The operator of the target database.',
    action: { kind: 'wait', label: 'Continues once the target answers' },
  },
  targetWasAway: {
    title: 'The target did not answer',
    fallback: 'No data is lost. The next run catches up.',
    who: 'The operator of the target database.',
    action: refreshAgain,
  },
  data: {
    title: '{rows} could not be stored',
    who: 'The person who maintains the data in the source.',
    action: { kind: 'reviewRows', label: 'See the rows' },
  },
  rowsRejected: {
    title: '{rows} could not be stored',
    what: 'The target cannot store them as they are. All other rows arrived. Each rejected row is listed with the reason; correct it in the source, and the next run loads it.',
    who: 'The person who maintains the data in the source.',
    action: { kind: 'reviewRows', label: 'See the rows' },
  },
  dataRefused: {
    title: 'Some data could not be moved',
    who: 'The person who maintains the data in the source.',
    action: refreshAgain,
  },
  guarded: {
    title: 'Unusually many rows have changed',
    who: 'A person who knows whether the source is right.',
    action: refreshAgain,
  },
  bug: {
    title: 'Something went wrong inside Tributary',
    fallback: 'This is a fault of Tributary; you did nothing wrong. No data is lost.',
    who: 'The operator of Tributary. The server log names this run.',
    action: { kind: 'tellProvider', label: 'Report to the provider' },
  },
} as const satisfies Record<string, FaultCardText>

/** Says whether the rows that reports read are still right. */
export const dataNotices = {
  asBefore: (since: string) => `Right as of ${since}, when the last run completed. Nothing has changed since.`,
  someCompanies: 'The rows of the companies named above stay as they were. Those of the others are up to date.',
  allDone: 'Every table that the run reached is up to date.',
  someDone: (done: number, all: number, since: string | null) =>
    `${done} of ${all} tables are up to date. The others ${since === null ? 'are not complete yet' : `are at least as of ${since}`}.`,
  begun: (since: string | null) =>
    since === null
      ? 'The first rows have arrived; no table is complete yet.'
      : `Every table is at least as of ${since}; some rows are newer.`,
  nothing: 'Nothing has been loaded yet.',
  allButRows: (rows: string) =>
    `${rows} ${rows === 'One row' ? 'is' : 'are'} missing. Everything else is as in the source.`,
  allButWaiting: 'Their tables are as of the previous run; all others are up to date.',
} as const
