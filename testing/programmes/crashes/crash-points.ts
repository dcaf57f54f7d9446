/** The moments of a sync at which a worker is killed, each told by what is being said to a database. */
import type { Trap } from '../network/network-proxy.ts'
import type { Wires } from '../network/test-bed.ts'

export type Workload = 'incremental' | 'full' | 'deletes' | 'columns'

/** The statements of the targets, as far as a point is known by them. */
interface Words {
  readonly load: RegExp
  readonly merge: RegExp
  readonly state: RegExp
  readonly rejects: RegExp
  readonly column: RegExp
  /** What ends the adding of a column: MariaDB commits a change of a table by itself. */
  readonly columnAdded: readonly RegExp[]
  readonly swap: RegExp
  readonly sweep: RegExp
}

const commit = /commit/i

export const words: Readonly<Record<'postgres' | 'mysql', Words>> = {
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

export interface Point {
  readonly id: string
  readonly what: string
  readonly at: keyof Wires
  readonly trap: (words: Words) => Trap
  /** What must have been passed on the way to the target before. */
  readonly after?: (words: Words) => Trap
  /** With what sorts of work the point is come by; the first is that of the short programme. */
  readonly workloads: readonly Workload[]
  /** Somebody stops the run just before. */
  readonly isCancelled?: true
}

const everyWork: readonly Workload[] = ['incremental', 'full', 'deletes']
const claim = /attempt \+ 1/
const letGo = /update "run" set "status" = \$1, "worker" = \$2, "fault_kind"/

function stop(at: Trap['stop'], ...path: readonly RegExp[]): Trap {
  return { stop: at, path }
}

export const points: readonly Point[] = [
  {
    id: 'C3',
    what: 'claim unanswered',
    at: 'store',
    trap: () => stop('unanswered', claim, commit),
    workloads: everyWork,
  },
  { id: 'C3', what: 'claimed', at: 'store', trap: () => stop('answered', claim, commit), workloads: everyWork },
  {
    id: 'C4',
    what: 'reading the source',
    at: 'source',
    trap: () => stop('amidst', /COPY .*round.* TO STDOUT/s),
    workloads: everyWork,
  },
  {
    id: 'C7',
    what: 'staging half loaded',
    at: 'target',
    trap: ({ load }) => stop('amidst', load),
    workloads: everyWork,
  },
  {
    id: 'C8',
    what: 'inside the merge',
    at: 'target',
    trap: ({ merge }) => stop('unanswered', merge),
    workloads: ['incremental'],
  },
  {
    id: 'C8',
    what: 'before COMMIT',
    at: 'target',
    trap: ({ state }) => stop('before', state, commit),
    workloads: everyWork,
  },
  {
    id: 'C9',
    what: 'COMMIT unanswered',
    at: 'target',
    trap: ({ state }) => stop('unanswered', state, commit),
    workloads: everyWork,
  },
  {
    id: 'C10',
    what: 'committed, the store knows nothing of it',
    at: 'store',
    after: ({ state }) => stop('pass', state, commit),
    trap: () => stop('before', /insert into "run_stream"/),
    workloads: everyWork,
  },
  {
    id: 'C11',
    what: 'between batches',
    at: 'target',
    trap: ({ state }) => stop('answered', state, commit),
    workloads: everyWork,
  },
  {
    id: 'C12',
    what: 'writing refused rows',
    at: 'target',
    trap: ({ rejects }) => stop('unanswered', rejects),
    workloads: ['full'],
  },
  {
    id: 'C13',
    what: 'adding a column',
    at: 'target',
    trap: ({ column }) => stop('unanswered', column),
    workloads: ['columns'],
  },
  {
    id: 'C13',
    what: 'column added',
    at: 'target',
    trap: ({ columnAdded }) => stop('answered', ...columnAdded),
    workloads: ['columns'],
  },
  { id: 'C14', what: 'before the swap', at: 'target', trap: ({ swap }) => stop('before', swap), workloads: ['full'] },
  {
    id: 'C14',
    what: 'swap unanswered',
    at: 'target',
    trap: ({ swap }) => stop('unanswered', swap),
    workloads: ['full'],
  },
  {
    id: 'C14',
    what: 'swapped, COMMIT unanswered',
    at: 'target',
    trap: ({ swap }) => stop('unanswered', swap, commit),
    workloads: ['full'],
  },
  {
    id: 'C15',
    what: 'deleting what is gone',
    at: 'target',
    trap: ({ sweep }) => stop('unanswered', sweep),
    workloads: ['deletes'],
  },
  {
    id: 'C15',
    what: 'deleted, COMMIT unanswered',
    at: 'target',
    trap: ({ sweep }) => stop('unanswered', sweep, commit),
    workloads: ['deletes'],
  },
  {
    id: 'C16',
    what: 'all done, outcome not written',
    at: 'store',
    trap: () => stop('before', letGo),
    workloads: everyWork,
  },
  {
    id: 'C16',
    what: 'outcome written, unanswered',
    at: 'store',
    trap: () => stop('unanswered', letGo, commit),
    workloads: everyWork,
  },
  {
    id: 'C17',
    what: 'a stop was asked for',
    at: 'target',
    trap: ({ state }) => stop('before', state, commit),
    workloads: everyWork,
    isCancelled: true,
  },
]
