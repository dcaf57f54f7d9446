/** Makes the parts of a server from its configuration, its store's connection and a clock. */
import type { PoolConfig } from 'pg'
import type { KyselyPlugin } from 'kysely'
import { openAudit } from './audit.ts'
import { openNetwork, type Endpoint } from './egress.ts'
import type { MasterKeys } from './keys.ts'
import type { Parts } from './parts.ts'
import { Passwords } from './passwords.ts'
import { openSecrets } from './secrets.ts'
import { Sessions } from './sessions.ts'
import { openStore } from './store.ts'
import { Throttle } from './throttle.ts'

export interface Ingredients extends Pick<Parts, 'config' | 'clock' | 'log' | 'queue' | 'warehouse' | 'demo'> {
  readonly keys: MasterKeys
  readonly connection: PoolConfig
  /** Beside the operator's, what the server itself brings: simulated sources, the embedded warehouse. */
  readonly allowHosts: readonly string[]
  readonly never: () => readonly Endpoint[]
  /** Tests only: plugins of the query builder. */
  readonly plugins?: readonly KyselyPlugin[]
}

export function assemble({ keys, connection, allowHosts, never, plugins = [], ...given }: Ingredients): Parts {
  const { clock, config, log } = given
  const audit = openAudit(clock)
  const store = openStore({ connection, plugins, onError: (error) => log.warn('a database connection was lost', { error }) })
  return {
    ...given,
    store,
    audit,
    secrets: openSecrets({ keys, clock, conceal: (secret) => log.conceal(secret) }),
    network: openNetwork({ allow: [...config.allowHosts, ...allowHosts], never }),
    sessions: new Sessions({ store, audit, clock, keys }),
    passwords: new Passwords(config.passwordMin),
    throttle: new Throttle({ store, clock, keys }),
  }
}
