/** The outside world of trial mode: a shop's database that keeps changing, and a Cin7 Core in make-believe. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Properties } from '@tributary/engine/source'
import { startCin7, type Cin7Simulator } from '@tributary/sims/cin7/server'
import type { ClientConfig } from 'pg'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { makeShop, shopLife, type ShopReach } from './shop.ts'

export interface TrialSources {
  /** The settings that reach each source, by connector type. */
  readonly demo: { readonly [type: string]: Properties }
  /** What connectors may dial beyond the public Internet. */
  readonly allowHosts: readonly string[]
  stop(): Promise<void>
}

export interface TrialPlace {
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

export async function startTrialSources(place: TrialPlace): Promise<TrialSources> {
  const [shop, cin7] = await Promise.all([makeShop(place.superuser, place.listens, seed), startOnKnownPort(place)])
  const stopping = new AbortController()
  const living = live(place, cin7, stopping.signal)
  return {
    demo: { postgres: postgresSettings(shop), cin7: cin7Settings(cin7) },
    allowHosts: [`${shop.host}:${shop.port}`, new URL(cin7.url).host],
    async stop() {
      stopping.abort()
      await living
      await cin7.close()
    },
  }
}

function postgresSettings(shop: ShopReach): Properties {
  return { 'source.connectionString': { ...shop, sslmode: 'disable' } }
}

function cin7Settings({ accountId, applicationKey, url }: Cin7Simulator): Properties {
  return { 'cin7.accountId': accountId, 'cin7.applicationKey': applicationKey, 'cin7.address': url }
}

/** Connectors remember the address, so the port of the last start is taken again where it is free. */
async function startOnKnownPort({ dataDir, clock }: TrialPlace): Promise<Cin7Simulator> {
  const memory = join(dataDir, 'cin7-port')
  const known = existsSync(memory) ? Number(readFileSync(memory, 'utf8')) : 0
  const options = { clock, seed, size: 'trial' } as const
  const started = await startCin7({ ...options, port: known }).catch(() => startCin7({ ...options, port: 0 }))
  writeFileSync(memory, new URL(started.url).port)
  return started
}

async function live({ superuser, log }: TrialPlace, cin7: Cin7Simulator, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(stepMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    cin7.tick()
    await shopLife(superuser, seed, Math.floor(Date.now() / stepMs)).catch((error: unknown) =>
      log.warn('the demonstration shop stood still', { error }),
    )
  }
}
