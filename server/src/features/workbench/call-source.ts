/** Tries and proves streams of a description. Credentials are used for the call and never stored, logged or returned. */
import type { StreamProof, TriedStream } from '@tributary/contract/workbench'
import type { Camel } from '@tributary/contract/wire'
import type { SourceDescription } from '@tributary/engine/apis/described/description/source-description'
import { type OpenedSettings, openEntered } from '@tributary/engine/apis/workbench/entered-settings'
import { proveStreamLive, proveStreamSimulated } from '@tributary/engine/apis/workbench/prove/prove'
import { liveChecks, type Proof, simulatedChecks } from '@tributary/engine/apis/workbench/prove/verdict'
import { tryStream } from '@tributary/engine/apis/workbench/try/try-stream'
import { Fault } from '@tributary/engine/ports/faults'
import type { ConnectionContext } from '@tributary/engine/ports/source'
import type { AppServices } from '../../app-services.ts'
import { withTimeout } from '../../connections/databases/with-timeout.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import { requireDescription } from './draft-and-check.ts'
import { boundedTables } from './bounded-tables.ts'

type CallServices = Pick<AppServices, 'audit' | 'clock' | 'network' | 'rateLimiters' | 'store'>

/** Who calls, and until when. */
export interface WorkbenchCaller {
  readonly auditContext: AuditContext<null, Actor>
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

type EnteredValues = Readonly<Record<string, string>>

export interface TryInput {
  readonly text: string
  readonly values: EnteredValues
  readonly stream?: string | undefined
  readonly pages: number
}

const tryMs = 45_000
/** For a source that ignores that its time is over. */
const graceMs = 15_000
const proofMs = 120_000

/** @throws `settingsWrong` if the description or a value does not fit, or the source does not answer in time */
export async function tryWorkbenchStream(
  services: CallServices,
  { auditContext, signal }: WorkbenchCaller,
  { text, values, stream, pages }: TryInput,
  timeMs = tryMs,
): Promise<Camel<TriedStream>> {
  const description = requireDescription(text)
  const opened = openValues(description, values)
  return withSlot('live', async () => {
    const detail = { ...callDetail(description, opened), ...(stream !== undefined && { stream }), pages }
    await services.store.across((db) => services.audit.record(db, auditContext, { action: 'workbench.tried', detail }))
    const request = { description, settings: opened.settings, secrets: opened.more, stream, pages, timeMs }
    const tried = await inTime(services, signal, timeMs + graceMs, (context) =>
      tryStream(request, { ...context, ...tokensOf(opened) }),
    )
    const { fault, exchanges, misfits, streams, tables, log, ...rest } = tried
    return {
      ...rest,
      streams: [...streams],
      exchanges: exchanges.map((exchange) => ({ ...exchange })),
      tables: boundedTables(tables),
      misfits: misfits.map((misfit) => ({ ...misfit })),
      log: log.slice(0, logMax),
      problem: fault,
    }
  })
}

const logMax = 200

export interface ProveInput {
  readonly text: string
  readonly stream: string
  readonly kind: 'live' | 'simulated'
  readonly values?: EnteredValues | undefined
}

/** One stream and kind a call, so that the portal shows the progress and can stop. Checks that time ends are not proven. */
export async function proveWorkbenchStream(
  services: CallServices,
  { auditContext, signal }: WorkbenchCaller,
  { text, stream, kind, values }: ProveInput,
  timeMs = proofMs,
): Promise<Camel<StreamProof>[]> {
  const description = requireDescription(text)
  const opened = kind === 'live' && values !== undefined ? openValues(description, values) : null
  return withSlot(kind, async () => {
    const detail = { ...callDetail(description, opened), stream, kind }
    await services.store.across((db) => services.audit.record(db, auditContext, { action: 'workbench.proved', detail }))
    const request = { description, stream, settings: opened?.settings ?? null, secrets: opened?.more ?? [] }
    const prove = kind === 'live' ? proveStreamLive : proveStreamSimulated
    const proofs: Proof[] = []
    const wasInTime = await inTime(services, signal, timeMs, async (context) => {
      for await (const proof of prove(request, { ...context, ...tokensOf(opened) })) proofs.push(proof)
      return true
    }).catch((error: unknown) => {
      if (isTooSlow(error)) return false
      throw error
    })
    return wasInTime ? proofs : [...proofs, ...unfinished({ stream, kind, timeMs }, proofs)]
  })
}

function unfinished(
  { stream, kind, timeMs }: Pick<ProveInput, 'stream' | 'kind'> & { readonly timeMs: number },
  proofs: readonly Proof[],
): Proof[] {
  const known = new Set(proofs.map(({ check }) => check))
  const why = `The check did not end within ${timeMs / 1_000} seconds.`
  return (kind === 'live' ? liveChecks : simulatedChecks)
    .filter((check) => !known.has(check))
    .map((check) => ({ stream, check, verdict: 'notProven', why }))
}

/** What the audit log says about a call. `hosts`: where it may go; empty if nothing is called. */
function callDetail({ title, hosts }: SourceDescription, opened: OpenedSettings | null) {
  return { title, hosts: opened === null ? [] : [...new Set([opened.settings.base.host, ...hosts])] }
}

function tokensOf(opened: OpenedSettings | null): Pick<ConnectionContext, 'accessTokens'> {
  const accessTokens = opened?.accessTokens
  return accessTokens === undefined ? {} : { accessTokens }
}

function openValues(description: SourceDescription, values: EnteredValues): OpenedSettings {
  try {
    return openEntered(description, values)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const field = error.field?.slice(`${description.type}.`.length) ?? ''
    throw detailedFault('settingsWrong', error.notice, { fields: { [`values.${field}`]: error.notice } })
  }
}

/** Rejects with a fault for people, except if the caller has disconnected. */
async function inTime<T>(
  services: CallServices,
  signal: AbortSignal,
  timeMs: number,
  work: (context: ConnectionContext) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(services, signal, timeMs, work)
  } catch (error) {
    if (error instanceof Fault) throw detailedFault('settingsWrong', error.notice, { cause: error })
    throw error
  }
}

function isTooSlow(error: unknown): boolean {
  return error instanceof ApiFault && error.cause instanceof Fault && error.cause.code === 'connection.too_slow'
}

/** Simulated proofs compute a lot. More of either would slow down the portal for customers. */
const slots = { live: 4, simulated: 2 }

/** Of this process. @throws `workbenchBusy` */
async function withSlot<T>(kind: keyof typeof slots, work: () => Promise<T>): Promise<T> {
  if (slots[kind] === 0) throw new ApiFault('workbenchBusy')
  slots[kind] -= 1
  try {
    return await work()
  } finally {
    slots[kind] += 1
  }
}
