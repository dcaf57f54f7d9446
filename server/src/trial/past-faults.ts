/** What went wrong in the trial's past: one fault of each kind that people meet. */
import type { FaultKind } from '@tributary/engine/ports/faults'

export interface PastFault {
  readonly kind: FaultKind | null
  readonly code: string | null
  readonly notice: string
  readonly remedy?: string
  /** Whether no stream was reached, or all before the one that failed were brought to their end. */
  readonly meets: 'everything' | 'one stream'
}

export const refusedFault: PastFault = {
  kind: 'signIn',
  code: 'postgres.login_refused',
  notice: 'The PostgreSQL server refused the user name or password. Check both, then save the connector again.',
  meets: 'everything',
}

export const dayIsFull: PastFault = {
  kind: 'busy',
  code: 'cin7.daily_limit',
  notice:
    'Cin7 Core has answered as many calls as it allows in a day. The run goes on by itself when the day there is over.',
  meets: 'one stream',
}

/** In the order in which a connector meets them. */
export const pastFaults: readonly PastFault[] = [
  {
    kind: 'passing',
    code: 'network.unreachable',
    notice: 'The source does not answer. Check that the server runs and that a firewall lets Tributary in.',
    meets: 'one stream',
  },
  {
    kind: 'settings',
    code: 'postgres.not_allowed',
    notice: 'The user may not write into the schema. Whoever administers the database can allow it.',
    remedy: 'GRANT USAGE, CREATE ON SCHEMA reports TO tributary_writer;',
    meets: 'one stream',
  },
  {
    kind: 'passing',
    code: 'target.unreachable',
    notice: 'The target cannot be reached. Check that the server runs and that a firewall lets Tributary in.',
    meets: 'everything',
  },
  {
    kind: 'data',
    code: 'engine.shrink_guard',
    notice:
      '4,870 of the 12,000 rows are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, load this table whole: ‘One table alone’ next to ‘Refresh’.',
    meets: 'one stream',
  },
  {
    kind: 'settings',
    code: 'network.host_unknown',
    notice: 'There is no server of that name. Check the address of the source.',
    meets: 'everything',
  },
  {
    kind: 'bug',
    code: 'engine.unexpected',
    notice: 'Something went wrong inside Tributary. The details are in the server log.',
    meets: 'one stream',
  },
]
