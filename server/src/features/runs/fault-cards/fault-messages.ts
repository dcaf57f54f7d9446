/** Everything that the cards of runs say, in one place. `{source}`, `{until}`, `{rows}`, `{changes}` and `{tables}` are filled in. */
import type { FaultCard } from '@tributary/contract/runs'

export interface Action {
  readonly kind: FaultCard['Action']['Kind']
  readonly label: string
}

export interface Words {
  readonly title: string
  /** Instead of what the run says of itself. */
  readonly what?: string
  /** Where the run says nothing of itself, or too much. */
  readonly otherwise: string
  readonly who: string
  readonly action: Action
}

const administrators = 'An administrator of your organisation.'
const databaseOwner = 'Whoever administers the database.'
const nobody = 'Nobody. It goes on by itself.'
const several = 'Some tables could not be brought up to date: {tables}. Each says below what is wrong with it.'

export const cards = {
  settings: {
    title: 'The settings need a change',
    otherwise: several,
    who: administrators,
    action: { kind: 'edit', label: 'Edit the settings' },
  },
  rightMissing: {
    title: 'A right is missing in the database',
    otherwise: several,
    who: databaseOwner,
    action: { kind: 'copy', label: 'Copy the statement' },
  },
  changesStop: {
    title: 'The source’s tables have changed',
    otherwise: '{changes} of the source’s tables must be decided before anything is moved.',
    who: administrators,
    action: { kind: 'reviewChanges', label: 'Decide on the changes' },
  },
  changesWait: {
    title: '{changes} of the source’s tables to decide on',
    otherwise: 'The tables concerned wait for a decision.',
    who: administrators,
    action: { kind: 'reviewChanges', label: 'Decide on the changes' },
  },
  signIn: {
    title: '{source} refused the credentials',
    otherwise:
      'The user name, the password or the key is not accepted any more. The schedule waits until they are set again.',
    who: 'An administrator who knows the credentials.',
    action: { kind: 'reconnect', label: 'Reconnect' },
  },
  targetSignIn: {
    title: 'The target refused the credentials',
    otherwise:
      'The user name or the password of the target is not accepted any more. The schedule waits until they are set again.',
    who: 'An administrator who knows the credentials.',
    action: { kind: 'edit', label: 'Edit the settings' },
  },
  unreadable: {
    title: '{source} cannot read one of its own tables or views',
    otherwise: several,
    who: databaseOwner,
    action: { kind: 'retry', label: 'Refresh again' },
  },
  refusedTable: {
    title: 'The target cannot hold a table as it is',
    otherwise: several,
    who: administrators,
    action: { kind: 'edit', label: 'Edit the settings' },
  },
  several: {
    title: 'Some tables could not be moved',
    otherwise: several,
    who: administrators,
    action: { kind: 'edit', label: 'Edit the settings' },
  },
  busy: {
    title: '{source} had no room for more calls',
    otherwise:
      'The source answered as many calls as it allows. Nothing is lost; the next run goes on where this one stopped.',
    who: 'Nobody, if there is a schedule. Else refresh again in a while.',
    action: { kind: 'retry', label: 'Refresh again' },
  },
  waiting: {
    title: 'Waiting for {source} until {until}',
    otherwise: 'The source answered as many calls as it allows for now.',
    who: nobody,
    action: { kind: 'wait', label: 'Goes on at {until}' },
  },
  tryingAgain: {
    title: 'Trying again at {until}',
    otherwise: 'Something in between did not answer.',
    who: nobody,
    action: { kind: 'wait', label: 'Goes on at {until}' },
  },
  stalled: {
    title: 'This run takes unusually long',
    what: 'It began more than half an hour ago and is not done. A large first load may take so long; a source that has stopped answering, too.',
    otherwise: '',
    who: 'Whoever is waiting for it. A new run ends this one and goes on where it stopped.',
    action: { kind: 'retry', label: 'Start a new run' },
  },
  passing: {
    title: 'The connection did not hold',
    otherwise:
      'Several tries failed one after the other. Nothing is lost; the next run goes on where this one stopped.',
    who: 'Whoever runs the source, if it happens again.',
    action: { kind: 'retry', label: 'Refresh again' },
  },
  tableBusy: {
    title: 'A table could not be moved for now',
    otherwise:
      'Several tries failed one after the other. Nothing is lost; the next run goes on where this one stopped.',
    who: 'Whoever administers the database, if it happens again.',
    action: { kind: 'retry', label: 'Refresh again' },
  },
  targetAway: {
    title: 'The target does not answer',
    otherwise: 'Scheduled runs wait, so that nothing piles up. One run brings everything once the target answers.',
    who: 'Whoever runs the target database.',
    action: { kind: 'wait', label: 'Goes on once the target answers' },
  },
  targetWasAway: {
    title: 'The target did not answer',
    otherwise: 'Nothing is lost. The next run brings what this one did not.',
    who: 'Whoever runs the target database.',
    action: { kind: 'retry', label: 'Refresh again' },
  },
  data: {
    title: '{rows} could not be stored',
    otherwise: several,
    who: 'Whoever keeps the data in the source.',
    action: { kind: 'reviewRows', label: 'See the rows' },
  },
  rowsRejected: {
    title: '{rows} could not be stored',
    what: 'The target cannot hold them as they are. All others arrived. Each is listed with its reason; once it is put right in the source, the next run brings it.',
    otherwise: '',
    who: 'Whoever keeps the data in the source.',
    action: { kind: 'reviewRows', label: 'See the rows' },
  },
  dataRefused: {
    title: 'Some data could not be moved',
    otherwise: several,
    who: 'Whoever keeps the data in the source.',
    action: { kind: 'retry', label: 'Refresh again' },
  },
  guarded: {
    title: 'Unusually much has changed',
    otherwise: several,
    who: 'Whoever knows whether the source is right.',
    action: { kind: 'retry', label: 'Refresh again' },
  },
  bug: {
    title: 'Something went wrong inside Tributary',
    otherwise: 'This is our fault and nothing you did. Nothing is lost.',
    who: 'Whoever runs Tributary. The server’s log names this run.',
    action: { kind: 'tellProvider', label: 'Tell the provider' },
  },
} as const satisfies Record<string, Words>

/** Whether the rows that reports read are still right. */
export const dataWords = {
  asBefore: (since: string) => `Right as of ${since}, when the last run completed. Nothing was changed since.`,
  allDone: 'Every table that was reached is up to date.',
  someDone: (done: number, all: number, since: string | null) =>
    `${done} of ${all} tables are up to date. The others ${since === null ? 'are not complete yet' : `are at least as of ${since}`}.`,
  begun: (since: string | null) =>
    since === null
      ? 'The first rows have arrived; no table is complete yet.'
      : `Every table is at least as of ${since}; some rows are newer.`,
  nothing: 'Nothing has been loaded yet.',
  allButRows: (rows: string) =>
    `${rows} ${rows === 'One row' ? 'is' : 'are'} missing. Everything else is as in the source.`,
  allButWaiting: 'The tables concerned are as of the run before; all others are up to date.',
} as const
