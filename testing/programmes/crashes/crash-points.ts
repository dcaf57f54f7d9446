/** The moments of a sync at which a worker is killed. Each is recognised by the statements on a database connection. */
import type { StatementTrap } from '../network/network-proxy.ts'
import type { DatabaseProxies } from '../network/test-bed.ts'

export type SyncWorkload = 'incremental' | 'full' | 'deletes' | 'columns'

/** Patterns of the target statements that identify a crash point. */
interface TargetStatements {
  readonly load: RegExp
  readonly merge: RegExp
  readonly state: RegExp
  readonly rejects: RegExp
  readonly column: RegExp
  /** The statements that add a column and commit it. MariaDB commits DDL implicitly. */
  readonly columnAdded: readonly RegExp[]
  readonly swap: RegExp
  readonly sweep: RegExp
}

const commit = /commit/i

export const targetStatements: Readonly<Record<'postgres' | 'mysql', TargetStatements>> = {
  postgres: {
    load: /COPY .*round.* FROM STDIN/,
    merge: /WITH written AS/,
    state: /INSERT INTO .*"tributary_state"/,
    rejects: /DELETE FROM .*"tributary_reject"/,
    column: /ALTER TABLE .*ADD COLUMN/,
    columnAdded: [/ALTER TABLE .*ADD COLUMN/, commit],
    swap: /ALTER TABLE .*RENAME TO/,
    sweep: /DELETE FROM .* USING tributary_gone/,
  },
  mysql: {
    load: /LOAD DATA LOCAL.*round/,
    merge: /AS came ON DUPLICATE KEY/,
    state: /REPLACE INTO tributary_state/,
    rejects: /DELETE FROM tributary_reject/,
    column: /ALTER TABLE .*ADD COLUMN/,
    columnAdded: [/ALTER TABLE .*ADD COLUMN/],
    swap: /RENAME TABLE/,
    sweep: /DELETE kept FROM .* LEFT JOIN/,
  },
}

export interface CrashPoint {
  readonly id: string
  readonly moment: string
  readonly connection: keyof DatabaseProxies
  readonly trap: (words: TargetStatements) => StatementTrap
  /** Statements that the target connection must have passed first. */
  readonly after?: (words: TargetStatements) => StatementTrap
  /** The workloads that reach the point. The short programme runs only the first. */
  readonly workloads: readonly SyncWorkload[]
  /** A user cancels the run just before the kill. */
  readonly isCancelled?: true
}

const allWorkloads: readonly SyncWorkload[] = ['incremental', 'full', 'deletes']
/** A worker reads the run that it has claimed, in the transaction of the claim. A poll that claims nothing reads none. */
const claim = /run\.charge as "charge"/
const releaseRun = /update "run" set "status" = \$1, "worker" = \$2, "fault_kind"/

function stopAt(at: StatementTrap['stop'], ...path: readonly RegExp[]): StatementTrap {
  return { stop: at, path }
}

export const crashPoints: readonly CrashPoint[] = [
  {
    id: 'C3',
    moment: 'claim without a reply',
    connection: 'store',
    trap: () => stopAt('unanswered', claim, commit),
    workloads: allWorkloads,
  },
  {
    id: 'C3',
    moment: 'claimed',
    connection: 'store',
    trap: () => stopAt('answered', claim, commit),
    workloads: allWorkloads,
  },
  {
    id: 'C4',
    moment: 'reading the source',
    connection: 'source',
    trap: () => stopAt('midway', /COPY .*round.* TO STDOUT/s),
    workloads: allWorkloads,
  },
  {
    id: 'C7',
    moment: 'staging table half loaded',
    connection: 'target',
    trap: ({ load }) => stopAt('midway', load),
    workloads: allWorkloads,
  },
  {
    id: 'C8',
    moment: 'inside the merge',
    connection: 'target',
    trap: ({ merge }) => stopAt('unanswered', merge),
    workloads: ['incremental'],
  },
  {
    id: 'C8',
    moment: 'before COMMIT',
    connection: 'target',
    trap: ({ state }) => stopAt('before', state, commit),
    workloads: allWorkloads,
  },
  {
    id: 'C9',
    moment: 'COMMIT without a reply',
    connection: 'target',
    trap: ({ state }) => stopAt('unanswered', state, commit),
    workloads: allWorkloads,
  },
  {
    id: 'C10',
    moment: 'committed in the target, not yet in the store',
    connection: 'store',
    after: ({ state }) => stopAt('pass', state, commit),
    trap: () => stopAt('before', /insert into "run_stream"/),
    workloads: allWorkloads,
  },
  {
    id: 'C11',
    moment: 'between batches',
    connection: 'target',
    trap: ({ state }) => stopAt('answered', state, commit),
    workloads: allWorkloads,
  },
  {
    id: 'C12',
    moment: 'writing rejected rows',
    connection: 'target',
    trap: ({ rejects }) => stopAt('unanswered', rejects),
    workloads: ['full'],
  },
  {
    id: 'C13',
    moment: 'adding a column',
    connection: 'target',
    trap: ({ column }) => stopAt('unanswered', column),
    workloads: ['columns'],
  },
  {
    id: 'C13',
    moment: 'column added',
    connection: 'target',
    trap: ({ columnAdded }) => stopAt('answered', ...columnAdded),
    workloads: ['columns'],
  },
  {
    id: 'C14',
    moment: 'before the swap',
    connection: 'target',
    trap: ({ swap }) => stopAt('before', swap),
    workloads: ['full'],
  },
  {
    id: 'C14',
    moment: 'swap without a reply',
    connection: 'target',
    trap: ({ swap }) => stopAt('unanswered', swap),
    workloads: ['full'],
  },
  {
    id: 'C14',
    moment: 'swapped, COMMIT without a reply',
    connection: 'target',
    trap: ({ swap }) => stopAt('unanswered', swap, commit),
    workloads: ['full'],
  },
  {
    id: 'C15',
    moment: 'deleting missing rows',
    connection: 'target',
    trap: ({ sweep }) => stopAt('unanswered', sweep),
    workloads: ['deletes'],
  },
  {
    id: 'C15',
    moment: 'deleted, COMMIT without a reply',
    connection: 'target',
    trap: ({ sweep }) => stopAt('unanswered', sweep, commit),
    workloads: ['deletes'],
  },
  {
    id: 'C16',
    moment: 'completed, outcome not written',
    connection: 'store',
    trap: () => stopAt('before', releaseRun),
    workloads: allWorkloads,
  },
  {
    id: 'C16',
    moment: 'outcome written, no reply',
    connection: 'store',
    trap: () => stopAt('unanswered', releaseRun, commit),
    workloads: allWorkloads,
  },
  {
    id: 'C17',
    moment: 'cancellation requested',
    connection: 'target',
    trap: ({ state }) => stopAt('before', state, commit),
    workloads: allWorkloads,
    isCancelled: true,
  },
]
