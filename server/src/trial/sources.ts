/**
 * The data sources of a trial: a shop's database that changes continuously, and simulators of Business Central, Cin7 Core, e-conomic,
 * Exact Online, QuickBooks Online, Stripe, Uniconta and Xero.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { type BusinessCentral, startBusinessCentral } from '@tributary/sims/business-central/server'
import { startCin7, type Cin7Simulator } from '@tributary/sims/cin7/server'
import { type EconomicSimulator, startEconomic } from '@tributary/sims/e-conomic/server'
import { type ExactSimulator, startExact } from '@tributary/sims/exact/server'
import { type QuickBooksSimulator, startQuickBooks } from '@tributary/sims/quickbooks/server'
import { startStripe, type StripeSimulator } from '@tributary/sims/stripe/server'
import { startUniconta, type UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { startXero, type XeroSimulator } from '@tributary/sims/xero/server'
import type { ClientConfig } from 'pg'
import type { OauthSettings } from '../kernel/config/oauth-settings.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log/log.ts'
import { ensureShop, changeShopData, type ShopConnection } from './shop.ts'

export interface TrialSources {
  /** The settings that reach each source, by connector type. */
  readonly demo: { readonly [type: string]: ConnectorProperties }
  /** Hosts of the simulated APIs, to which connections are allowed although their addresses are internal. */
  readonly allowHosts: readonly string[]
  /** The server of the shop's database. Only PostgreSQL connectors may use it, because it also holds the store. */
  readonly allowPostgres: readonly string[]
  /** The apps that people authorise at the simulated sources. */
  readonly simulatedApps: readonly OauthSettings[]
  readonly xero: XeroSimulator
  stop(): Promise<void>
}

export interface TrialEnvironment {
  readonly dataDir: string
  /** The embedded server: a superuser's connection, and its TCP address. */
  readonly superuser: ClientConfig
  readonly address: { readonly host: string; readonly port: number }
  readonly clock: Clock
  readonly log: Log
}

const seed = 20_261_120
/** The interval of simulated activity in the shop and the companies. */
const tickMs = 20_000

export async function startTrialSources(environment: TrialEnvironment): Promise<TrialSources> {
  const simulated = { clock: environment.clock, seed, size: 'trial' } as const
  const [shop, businessCentral, cin7, economic, exact, quickbooks, stripe, uniconta, xero] = await Promise.all([
    ensureShop(environment.superuser, environment.address, seed),
    startOnKnownPort(environment, 'business-central', (port) =>
      startBusinessCentral({ clock: environment.clock, seed, documents: 150, companies: centralCompanies, port }),
    ),
    startOnKnownPort(environment, 'cin7', (port) =>
      startCin7({ ...simulated, port, limits: { calls: cin7CallsPerMinute + 60 } }),
    ),
    startOnKnownPort(environment, 'e-conomic', (port) =>
      startEconomic({ clock: environment.clock, seed, size: 600, port }),
    ),
    startOnKnownPort(environment, 'exact', (port) => startExact({ clock: environment.clock, seed, size: 500, port })),
    startOnKnownPort(environment, 'quickbooks', (port) =>
      startQuickBooks({ clock: environment.clock, seed, size: 420, port }),
    ),
    startOnKnownPort(environment, 'stripe', (port) => startStripe({ clock: environment.clock, seed, size: 400, port })),
    startOnKnownPort(environment, 'uniconta', (port) => startUniconta({ ...simulated, port })),
    startOnKnownPort(environment, 'xero', (port) =>
      startXero({
        ...simulated,
        port,
        subsidiaries,
        memory: join(environment.dataDir, 'xero-books'),
        limits: { perMinute: xeroCallsPerMinute + 60 },
      }),
    ),
  ])
  const stopping = new AbortController()
  const simulators = [businessCentral, cin7, economic, exact, quickbooks, stripe, uniconta, xero]
  const activity = simulateActivity(environment, simulators, stopping.signal)
  return {
    demo: {
      postgres: postgresSettings(shop),
      'business-central': businessCentralSettings(businessCentral),
      cin7: cin7Settings(cin7),
      'e-conomic': economicSettings(economic),
      stripe: stripeSettings(stripe),
      uniconta: unicontaSettings(uniconta),
    },
    allowHosts: simulators.map((simulator) => hostOf(simulator)),
    allowPostgres: [`${shop.host}:${shop.port}`],
    simulatedApps: [xeroApp(xero), exactApp(exact), quickBooksApp(quickbooks)],
    xero,
    async stop() {
      stopping.abort()
      await activity
      await Promise.all(simulators.map((simulator) => simulator.close()))
    },
  }
}

const centralCompanies = ['Fjord Living A/S', 'Fjord Living GmbH']

function businessCentralSettings({ tenant, environment, client, secret, url }: BusinessCentral): ConnectorProperties {
  return {
    'business-central.tenant': tenant,
    'business-central.environment': environment,
    'business-central.client': client,
    'business-central.secret': secret,
    'business-central.address': url,
  }
}

function postgresSettings(shop: ShopConnection): ConnectorProperties {
  return { 'source.connectionString': { ...shop, sslmode: 'disable' } }
}

/** More than Cin7 Core allows: at its limit the first rows of a trial would take two minutes, and the first verdict several runs. */
const cin7CallsPerMinute = 1_800

function cin7Settings({ accountId, applicationKey, url }: Cin7Simulator): ConnectorProperties {
  return {
    'cin7.accountId': accountId,
    'cin7.applicationKey': applicationKey,
    'cin7.address': url,
    'cin7.callsPerMinute': cin7CallsPerMinute,
  }
}

function economicSettings({ appSecret, agreementGrant, url }: EconomicSimulator): ConnectorProperties {
  return { 'e-conomic.appSecret': appSecret, 'e-conomic.agreementGrant': agreementGrant, 'e-conomic.address': url }
}

function stripeSettings({ key, url }: StripeSimulator): ConnectorProperties {
  return { 'stripe.key': key, 'stripe.address': url }
}

function unicontaSettings({ username, password, url }: UnicontaSimulator): ConnectorProperties {
  return { 'uniconta.username': username, 'uniconta.password': password, 'uniconta.address': url }
}

/** More than Xero allows, for the same reason. */
const xeroCallsPerMinute = 600

/** A group whose companies can share one set of tables. */
const subsidiaries = [
  { name: 'Kauri Group Holdings', country: 'NZ', currency: 'NZD', yearEndMonth: 3 },
  { name: 'Kauri Timber and Joinery of the South Island', country: 'NZ', currency: 'NZD', yearEndMonth: 3 },
  { name: 'Kauri Flooring', country: 'AU', currency: 'AUD', yearEndMonth: 6 },
  { name: 'Kauri Interiors', country: 'GB', currency: 'GBP', yearEndMonth: 12 },
]

/** The OAuth app of the trial's operator at the simulated Xero. */
function xeroApp({ clientId, clientSecret, addresses }: XeroSimulator): OauthSettings {
  return {
    type: 'xero',
    app: { clientId, clientSecret },
    scopes: null,
    addresses,
    initial: { 'xero.callsPerMinute': xeroCallsPerMinute },
  }
}

/** The OAuth app of the trial's operator at the simulated Exact Online. */
function exactApp({ clientId, clientSecret, addresses }: ExactSimulator): OauthSettings {
  return { type: 'exact-online', app: { clientId, clientSecret }, scopes: null, addresses, initial: {} }
}

/** The OAuth app of the trial's operator at the simulated QuickBooks Online. */
function quickBooksApp({ clientId, clientSecret, addresses }: QuickBooksSimulator): OauthSettings {
  return { type: 'quickbooks', app: { clientId, clientSecret }, scopes: null, addresses, initial: {} }
}

/** A simulated API; `tick` advances its activity. */
type Simulator = ({ readonly url: string } | { readonly addresses: { readonly api: string } }) & {
  tick(): void
  close(): Promise<void>
}

function hostOf(simulator: Simulator): string {
  return new URL('url' in simulator ? simulator.url : simulator.addresses.api).host
}

/** Reuses the port of the last start if it is free, because connectors store the address. */
async function startOnKnownPort<S extends Simulator>(
  { dataDir }: TrialEnvironment,
  name: string,
  start: (port: number) => Promise<S>,
): Promise<S> {
  const memory = join(dataDir, `${name}-port`)
  const known = existsSync(memory) ? Number(readFileSync(memory, 'utf8')) : 0
  const started = await start(known).catch(() => start(0))
  writeFileSync(memory, new URL(`http://${hostOf(started)}`).port)
  return started
}

/** Logs the first of several consecutive failures only, such as those of a full disk. */
async function simulateActivity(
  { superuser, log }: TrialEnvironment,
  simulators: readonly Simulator[],
  signal: AbortSignal,
): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    await sleep(tickMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      for (const simulator of simulators) simulator.tick()
      await changeShopData(superuser, seed, Math.floor(Date.now() / tickMs))
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('the activity of the demonstration sources cannot be simulated', { error })
      isFailing = true
    }
  }
}
