/** Makes the parts of a server from its configuration, its store's connection and a clock. */
import { sessionsMax } from '@tributary/contract/limits'
import type { PoolConfig } from 'pg'
import type { KyselyPlugin } from 'kysely'
import { openAudit } from './audit.ts'
import { openCaptcha } from './captcha/open.ts'
import { Devices } from './devices.ts'
import type { Work } from './captcha/proof-of-work.ts'
import { openNetwork, type Endpoint } from './egress.ts'
import type { MasterKeys } from './keys.ts'
import type { Mailer } from './mail/mailer.ts'
import { openOutbox } from './mail/outbox.ts'
import { openProviders } from './oidc/open.ts'
import type { Parts } from './parts.ts'
import { Passwords } from './passwords.ts'
import { openSecrets } from './secrets.ts'
import { Sessions } from './sessions.ts'
import { Settings } from './settings.ts'
import { openStore } from './store.ts'
import { Throttle } from './throttle.ts'
import { Verifications } from './verification.ts'

export interface Ingredients extends Pick<Parts, 'config' | 'clock' | 'log' | 'queue' | 'warehouse' | 'demo'> {
  readonly keys: MasterKeys
  readonly connection: PoolConfig
  /** Beside the operator's, what the server itself brings: simulated sources, the embedded warehouse. */
  readonly allowHosts: readonly string[]
  readonly never: () => readonly Endpoint[]
  /** Tests only: plugins of the query builder. */
  readonly plugins?: readonly KyselyPlugin[]
  /** Tests only: less work than a browser is given. */
  readonly captchaWork?: Work
}

/** Everybody who tries Tributary shares the same few accounts. */
const trialSessionsMax = 1_000

export function assemble({ keys, connection, allowHosts, never, plugins = [], captchaWork, ...given }: Ingredients): Parts {
  const { clock, config, log } = given
  const audit = openAudit(clock)
  const store = openStore({ connection, plugins, onError: (error) => log.warn('a database connection was lost', { error }) })
  const secrets = openSecrets({ keys, clock, conceal: (secret) => log.conceal(secret) })
  const throttle = new Throttle({ store, clock, keys })
  return {
    ...given,
    store,
    audit,
    secrets,
    providers: openProviders({ config, clock, log, never }),
    mailer: openMailer({ ...given, keys }),
    settings: new Settings({ store, clock }),
    network: openNetwork({ allow: [...config.allowHosts, ...allowHosts], never }),
    sessions: new Sessions({ store, audit, clock, keys, max: config.mode === 'trial' ? trialSessionsMax : sessionsMax }),
    passwords: new Passwords(config.passwordMin),
    throttle,
    devices: new Devices({ clock, keys }),
    verifications: new Verifications({ store, clock, throttle, keys }),
    captcha: openCaptcha({ settings: config.captcha, store, clock, keys, log, never, work: captchaWork }),
  }
}

/** A letter is no secret for the log to look for: it never holds one whole, and would only make every line slower. */
function openMailer({ clock, config, keys, queue }: Pick<Ingredients, 'clock' | 'config' | 'keys' | 'queue'>): Mailer {
  const secrets = openSecrets({ keys, clock, conceal: () => undefined })
  const host = new URL(config.publicUrl).hostname
  return openOutbox({ secrets, queue, host, delivery: config.mode === 'trial' ? 'kept' : 'sent' })
}
