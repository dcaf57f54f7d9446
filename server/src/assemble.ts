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
import { openPasswords, type PasswordCost } from './identity/passwords/passwords.ts'
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

export interface AssembleOptions extends Pick<
  AppServices,
  'config' | 'clock' | 'log' | 'queue' | 'warehouse' | 'demo'
> {
  readonly keys: MasterKeys
  readonly connection: PoolConfig
  /** Hosts of the simulated sources, allowed in addition to the operator's. */
  readonly allowHosts: readonly string[]
  /** The built-in database with the trial's shop, which only PostgreSQL connectors may reach. */
  readonly allowPostgres?: readonly string[]
  /** Endpoints that no connector, webhook or identity provider may reach. */
  readonly deny: () => readonly NetworkEndpoint[]
  /** By default the disk is never reported as full. */
  readonly isDiskFull?: () => boolean
  /** In trial mode: the OAuth apps at the simulated sources. The operator's settings take precedence. */
  readonly simulatedApps?: readonly OauthSettings[]
  /** By default there are no metrics and no traces. */
  readonly telemetry?: Telemetry
  /** Tests only: plugins of the query builder. */
  readonly plugins?: readonly KyselyPlugin[]
  /** Tests only: a cheaper proof of work. */
  readonly captchaWork?: ProofOfWorkCost
  /** Tests only: cheaper hashes of passwords. */
  readonly passwordCost?: PasswordCost
}

/** Higher in a trial, because all its visitors share a few accounts. */
const trialSessionsMax = 1_000

export function assembleServices({
  keys,
  connection,
  allowHosts,
  allowPostgres = [],
  deny,
  plugins = [],
  captchaWork,
  passwordCost,
  simulatedApps = [],
  isDiskFull = () => false,
  telemetry = noTelemetry,
  ...options
}: AssembleOptions): AppServices {
  const { clock, config, log } = options
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
  const mailer = openMailer({ ...options, masters })
  const allow = [...config.allowHosts, ...allowHosts]
  const network = tracedNetwork(openNetwork({ allow, allowFor: { postgres: allowPostgres }, deny }), telemetry.tracing)
  const oauthSettings = [...config.oauth.filter(({ app }) => app !== null), ...simulatedApps, ...config.oauth]
  const external = { config, clock, log, network, metrics: telemetry.metrics }
  const isBreached = openBreachedPasswords({ ...external, rangeUrl: config.breachedPasswordsUrl })
  const lifecycle = new Lifecycle()
  const max = config.mode === 'trial' ? trialSessionsMax : sessionsMax
  return {
    ...options,
    ...telemetry,
    isDiskFull,
    lifecycle,
    rateLimiters: createRateBudgets({ store, log, stopSignal: lifecycle.stopSignal }),
    store,
    audit,
    secrets,
    masters,
    serverKeys,
    providers: openProviders({ config, clock, log, deny }),
    oauth: openOauth({ ...external, settings: oauthSettings, publicUrl: config.publicUrl, store, secrets, mailer }),
    mailer,
    settings: openGlobalSettings(store, clock),
    network,
    sessions: new Sessions({ store, audit, clock, keys: serverKeys, max, mode: config.mode }),
    passwords: openPasswords(config.passwordMin, serverKeys, isBreached, passwordCost),
    throttle,
    callCounter: openCallCounter({ clock, isOn: config.limits.isOn }),
    signInBreaker: openSignInBreaker({ store, clock, log, isOn: config.limits.isOn }),
    devices: new KnownDevices({ clock, keys: serverKeys }),
    verifications: new Verifications({ store, clock, throttle, keys: serverKeys }),
    captcha: openCaptcha({ settings: config.captcha, store, clock, keys: serverKeys, log, deny, work: captchaWork }),
  }
}

/** Does not redact email bodies in the log: it never contains a whole body, and each secret makes every line slower. */
function openMailer({
  clock,
  config,
  log,
  masters,
  queue,
}: Pick<AssembleOptions, 'clock' | 'config' | 'log' | 'queue'> & Pick<AppServices, 'masters'>): EmailOutbox {
  const secrets = openSecrets({ masters, clock, conceal: () => undefined, report: reportTo(log) })
  const host = new URL(config.publicUrl).hostname
  return openOutbox({ secrets, queue, host, delivery: config.mode === 'trial' ? 'kept' : 'sent' })
}

/** Logs the location of a secret that cannot be decrypted, never its content. */
function reportTo(log: Log): (error: SecretUnreadable, location: SecretLocation) => void {
  return (error, { organisationId }) => log.error('a stored secret cannot be read', { organisationId, error })
}
