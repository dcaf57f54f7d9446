/** The faults of past runs in a trial: one of each kind. */
import type { FaultKind } from '@tributary/engine/ports/faults'

export interface PastFault {
  readonly kind: FaultKind | null
  readonly code: string | null
  readonly notice: string
  readonly remedy?: string
  /** `everything`: no stream was reached. `one stream`: one stream failed after the streams before it completed. */
  readonly affects: 'everything' | 'one stream'
}

export const refusedFault: PastFault = {
  kind: 'signIn',
  code: 'postgres.login_refused',
  notice: 'The PostgreSQL server refused the user name or password. Check both, then save the connector again.',
  affects: 'everything',
}

export const dailyLimitFault: PastFault = {
  kind: 'busy',
  code: 'cin7.daily_limit',
  notice: 'Cin7 Core allows no more calls today. The run continues automatically when its limit is reset.',
  affects: 'one stream',
}

/** In the order of their occurrence. */
export const pastFaults: readonly PastFault[] = [
  {
    kind: 'passing',
    code: 'network.unreachable',
    notice: 'The source does not answer. Check that the server runs and that a firewall lets Tributary in.',
    affects: 'one stream',
  },
  {
    kind: 'settings',
    code: 'postgres.not_allowed',
    notice: 'The user may not write to the schema. An administrator of the database can grant the right.',
    remedy: 'GRANT USAGE, CREATE ON SCHEMA reports TO tributary_writer;',
    affects: 'one stream',
  },
  {
    kind: 'passing',
    code: 'target.unreachable',
    notice: 'The target cannot be reached. Check that the server runs and that a firewall lets Tributary in.',
    affects: 'everything',
  },
  {
    kind: 'data',
    code: 'engine.shrink_guard',
    notice:
      '4,870 of the 12,000 rows are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, load this table whole: ‘One table alone’ next to ‘Refresh’.',
    affects: 'one stream',
  },
  {
    kind: 'settings',
    code: 'network.host_unknown',
    notice: 'There is no server of that name. Check the address of the source.',
    affects: 'everything',
  },
  {
    kind: 'bug',
    code: 'engine.unexpected',
    notice: 'Something went wrong inside Tributary. The details are in the server log.',
    affects: 'one stream',
  },
]
