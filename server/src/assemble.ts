/** Creates the services of a server from its configuration, the connection to its store and a clock. */
import { sessionsMax } from '@tributary/contract/limits'
import type { PoolConfig } from 'pg'
import type { KyselyPlugin } from 'kysely'
import type { SecretLocation, SecretUnreadable } from './kernel/store/secret-unreadable.ts'
import type { OauthSettings } from './kernel/config/oauth-settings.ts'
import { openAudit } from './security/audit/audit.ts'
import { openBreachedPasswords } from './identity/passwords/breached-passwords.ts'
import { openCallCounter } from './security/throttling/call-counter.ts'
import { openCaptcha } from './security/captcha/open-captcha.ts'
import { KnownDevices } from './identity/sessions/known-devices.ts'
import type { ProofOfWorkCost } from './security/captcha/proof-of-work.ts'
import { openNetwork, type NetworkEndpoint } from './security/egress/egress.ts'
import { type MasterKeys, createMasterKeyRing } from './kernel/config/master-keys.ts'
import { openServerKeys } from './security/keys/server-keys.ts'
import type { Log } from './kernel/log/log.ts'
import { Lifecycle } from './kernel/lifecycle.ts'
import type { EmailOutbox } from './kernel/mail/mailer.ts'
import { openOutbox } from './messaging/mail/outbox.ts'
import { openOauth } from './connections/oauth/oauth.ts'
import { openProviders } from './identity/providers/open-providers.ts'
import type { AppServices } from './app-services.ts'
import { openPasswords } from './identity/passwords/passwords.ts'
import { openSecrets } from './security/secrets/secrets.ts'
import { Sessions } from './identity/sessions/sessions.ts'
import { openGlobalSettings } from './kernel/config/global-configuration.ts'
import { openSignInBreaker } from './security/throttling/sign-in-circuit-breaker.ts'
import { createRateBudgets } from './connections/rate-budgets/rate-budgets.ts'
import { openStore } from './kernel/store/store.ts'
import { noTelemetry, type Telemetry } from './kernel/telemetry/open-telemetry.ts'
import { tracedNetwork } from './kernel/telemetry/traced-network.ts'
import { openThrottle } from './security/throttling/throttle.ts'
import { Verifications } from './identity/factors/verification-codes.ts'

export interface AppIngredients extends Pick<AppServices, 'config' | 'clock' | 'log' | 'queue' | 'warehouse' | 'demo'> {
  readonly keys: MasterKeys
  readonly connection: PoolConfig
  /** In addition to the operator's, what the server itself brings: simulated sources. */
  readonly allowHosts: readonly string[]
  /** Reached by PostgreSQL connectors and by nothing else: the built-in database, in which the trial's shop lies. */
  readonly allowPostgres?: readonly string[]
  readonly never: () => readonly NetworkEndpoint[]
  /** Absent: never, as far as this process can tell. */
  readonly isDiskFull?: () => boolean
  /** In trial mode: the app at the simulated sources, unless the operator names one. */
  readonly simulatedApps?: readonly OauthSettings[]
  /** Absent: nothing is counted and nothing traced. */
  readonly telemetry?: Telemetry
  /** Tests only: plugins of the query builder. */
  readonly plugins?: readonly KyselyPlugin[]
  /** Tests only: less work than a browser is given. */
  readonly captchaWork?: ProofOfWorkCost
}

/** Everybody who tries Tributary shares the same few accounts. */
const trialSessionsMax = 1_000

export function assemble({
  keys,
  connection,
  allowHosts,
  allowPostgres = [],
  never,
  plugins = [],
  captchaWork,
  simulatedApps = [],
  isDiskFull = () => false,
  telemetry = noTelemetry,
  ...given
}: AppIngredients): AppServices {
  const { clock, config, log } = given
  const audit = openAudit(clock)
  const store = openStore({
    connection,
    plugins,
    onError: (error) => log.warn('a database connection was lost', { error }),
  })
  const masters = createMasterKeyRing(keys)
  const serverKeys = openServerKeys({ store, clock, masters })
  const secrets = openSecrets({ masters, clock, conceal: (secret) => log.redactSecret(secret), report: reportTo(log) })
  const throttle = openThrottle({ store, clock, keys: serverKeys, isOn: config.limits.isOn })
  const mailer = openMailer({ ...given, masters })
  const allow = [...config.allowHosts, ...allowHosts]
  const network = tracedNetwork(openNetwork({ allow, allowFor: { postgres: allowPostgres }, never }), telemetry.tracing)
  const oauthSettings = [...config.oauth.filter(({ app }) => app !== null), ...simulatedApps, ...config.oauth]
  const outside = { config, clock, log, network, metrics: telemetry.metrics }
  const isBreached = openBreachedPasswords({ ...outside, rangeUrl: config.breachedPasswordsUrl })
  const lifecycle = new Lifecycle()
  const max = config.mode === 'trial' ? trialSessionsMax : sessionsMax
  return {
    ...given,
    ...telemetry,
    isDiskFull,
    lifecycle,
    rateLimiters: createRateBudgets({ store, log, stopSignal: lifecycle.stopSignal }),
    store,
    audit,
    secrets,
    masters,
    serverKeys,
    providers: openProviders({ config, clock, log, forbiddenEndpoints: never }),
    oauth: openOauth({ ...outside, settings: oauthSettings, publicUrl: config.publicUrl, store, secrets, mailer }),
    mailer,
    settings: openGlobalSettings(store, clock),
    network,
    sessions: new Sessions({ store, audit, clock, keys: serverKeys, max, mode: config.mode }),
    passwords: openPasswords(config.passwordMin, serverKeys, isBreached),
    throttle,
    callCounter: openCallCounter({ clock, isOn: config.limits.isOn }),
    signInBreaker: openSignInBreaker({ store, clock, log, isOn: config.limits.isOn }),
    devices: new KnownDevices({ clock, keys: serverKeys }),
    verifications: new Verifications({ store, clock, throttle, keys: serverKeys }),
    captcha: openCaptcha({ settings: config.captcha, store, clock, keys: serverKeys, log, never, work: captchaWork }),
  }
}

function openMailer({
  clock,
  config,
  log,
  masters,
  queue,
}: Pick<AppIngredients, 'clock' | 'config' | 'log' | 'queue'> & Pick<AppServices, 'masters'>): EmailOutbox {
  const secrets = openSecrets({ masters, clock, conceal: () => undefined, report: reportTo(log) })
  const host = new URL(config.publicUrl).hostname
  return openOutbox({ secrets, queue, host, delivery: config.mode === 'trial' ? 'kept' : 'sent' })
}

/** Where it stands, and nothing of what stands there. */
function reportTo(log: Log): (error: SecretUnreadable, place: SecretLocation) => void {
  return (error, { organisationId }) => log.error('a stored secret cannot be read', { organisationId, error })
}
