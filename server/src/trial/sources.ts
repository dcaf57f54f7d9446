/** The outside world of trial mode: a shop's database that keeps changing, and a Cin7 Core, a Uniconta and a Xero in make-believe. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { startCin7, type Cin7Simulator } from '@tributary/sims/cin7/server'
import { startUniconta, type UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { startXero, type XeroSimulator } from '@tributary/sims/xero/server'
import type { ClientConfig } from 'pg'
import type { OauthSettings } from '../kernel/config/oauth-settings.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log/log.ts'
import { makeShop, shopLife, type ShopReach } from './shop.ts'

export interface TrialSources {
  /** The settings that reach each source, by connector type. */
  readonly demo: { readonly [type: string]: ConnectorProperties }
  /** Simulated APIs, which may be dialled although they are not in the public Internet. */
  readonly allowHosts: readonly string[]
  /** The shop's database, for PostgreSQL connectors alone: the same server holds the store. */
  readonly allowPostgres: readonly string[]
  /** The apps that people authorise at the simulated sources. */
  readonly simulatedApps: readonly OauthSettings[]
  readonly xero: XeroSimulator
  stop(): Promise<void>
}

export interface TrialEnvironment {
  readonly dataDir: string
  /** The embedded server: as its superuser, and where it listens. */
  readonly superuser: ClientConfig
  readonly listens: { readonly host: string; readonly port: number }
  readonly clock: Clock
  readonly log: Log
}

const seed = 20_261_120
/** A step of the shop's and the company's life. */
const stepMs = 20_000

export async function startTrialSources(place: TrialEnvironment): Promise<TrialSources> {
  const simulated = { clock: place.clock, seed, size: 'trial' } as const
  const [shop, cin7, uniconta, xero] = await Promise.all([
    makeShop(place.superuser, place.listens, seed),
    startOnKnownPort(place, 'cin7', (port) =>
      startCin7({ ...simulated, port, limits: { calls: cin7CallsPerMinute + 60 } }),
    ),
    startOnKnownPort(place, 'uniconta', (port) => startUniconta({ ...simulated, port })),
    startOnKnownPort(place, 'xero', (port) =>
      startXero({
        ...simulated,
        port,
        memory: join(place.dataDir, 'xero-books'),
        limits: { perMinute: xeroCallsPerMinute + 60 },
      }),
    ),
  ])
  const stopping = new AbortController()
  const living = live(place, [cin7, uniconta, xero], stopping.signal)
  return {
    demo: { postgres: postgresSettings(shop), cin7: cin7Settings(cin7), uniconta: unicontaSettings(uniconta) },
    allowHosts: [cin7, uniconta, xero].map((simulator) => hostOf(simulator)),
    allowPostgres: [`${shop.host}:${shop.port}`],
    simulatedApps: [xeroApp(xero)],
    xero,
    async stop() {
      stopping.abort()
      await living
      await Promise.all([cin7.close(), uniconta.close(), xero.close()])
    },
  }
}

function postgresSettings(shop: ShopReach): ConnectorProperties {
  return { 'source.connectionString': { ...shop, sslmode: 'disable' } }
}

/** More than Cin7 Core allows, so that nobody who tries Tributary waits two minutes for the first rows. */
const cin7CallsPerMinute = 600

function cin7Settings({ accountId, applicationKey, url }: Cin7Simulator): ConnectorProperties {
  return {
    'cin7.accountId': accountId,
    'cin7.applicationKey': applicationKey,
    'cin7.address': url,
    'cin7.callsPerMinute': cin7CallsPerMinute,
  }
}

function unicontaSettings({ username, password, url }: UnicontaSimulator): ConnectorProperties {
  return { 'uniconta.username': username, 'uniconta.password': password, 'uniconta.address': url }
}

/** As above. */
const xeroCallsPerMinute = 600

/** Of people who sign in; it is the app of whoever runs the trial. */
function xeroApp({ clientId, clientSecret, addresses }: XeroSimulator): OauthSettings {
  return {
    type: 'xero',
    app: { clientId, clientSecret },
    scopes: null,
    addresses,
    initial: { 'xero.callsPerMinute': xeroCallsPerMinute },
  }
}

/** A simulated API, as far as its life is concerned. */
type Simulator = ({ readonly url: string } | { readonly addresses: { readonly api: string } }) & { tick(): void }

function hostOf(simulator: Simulator): string {
  return new URL('url' in simulator ? simulator.url : simulator.addresses.api).host
}

/** Connectors remember the address, so the port of the last start is taken again where it is free. */
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

/** A step that fails, such as on a full disk, is reported once, until one succeeds. */
async function live(
  { superuser, log }: TrialEnvironment,
  simulators: readonly Simulator[],
  signal: AbortSignal,
): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    await sleep(stepMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      for (const simulator of simulators) simulator.tick()
      await shopLife(superuser, seed, Math.floor(Date.now() / stepMs))
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('the demonstration sources stand still', { error })
      isFailing = true
    }
  }
}
