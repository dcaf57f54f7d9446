/**
 * Makes decided publications in their targets and records them. The store decides first, then the target switches, then the store records:
 * a worker that is killed in between is continued with the same number, which changes nothing that is already done.
 */
import { asFault } from '@tributary/engine/ports/faults'
import type { PublicationResult } from '@tributary/engine/ports/publication'
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type DecidedPublication, decidePublication } from './decide-publication.ts'
import { openPublishingTarget } from './publishing-target.ts'
import { discardPending, findSetEverywhere, listDueSetsEverywhere, markPublished, updateSet } from './queries.ts'

export type PublicationServices = Pick<AppServices, 'clock' | 'log' | 'network' | 'secrets' | 'store'>

export interface PublicationContext {
  readonly warehouseTarget: WarehouseTarget
  readonly signal: AbortSignal
  /** Called once for each publication, in the transaction that records it. Not for one that removes the views. */
  readonly afterPublishing?: (db: Db, publication: DecidedPublication) => Promise<void>
}

/** A target that does not answer is tried again with the next decision. */
const timeoutMs = 120_000

/** Handles a job of `publicationChannel`. */
export async function publishSet(
  services: PublicationServices,
  context: PublicationContext,
  setId: string,
): Promise<void> {
  // Across: a job carries only the id of a set.
  const set = await services.store.across((db) => findSetEverywhere(db, setId))
  if (set !== undefined) await moveForward(services, context, set)
}

/** Decides about the sets that no notification has reached, or whose rule depends on the time. One that fails does not delay the others. */
export async function publishDueSets(services: PublicationServices, context: PublicationContext): Promise<void> {
  const errors: unknown[] = []
  // Across: a worker serves all organisations.
  for (const set of await services.store.across(listDueSetsEverywhere))
    await moveForward(services, context, set).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

async function moveForward(
  services: PublicationServices,
  context: PublicationContext,
  { organisationId, setId }: { readonly organisationId: string; readonly setId: string },
): Promise<void> {
  const decided = await services.store.within(organisationId, (db) => decidePublication(db, organisationId, setId))
  if (decided === null) return
  try {
    const made = await publishInTarget(services, context, decided)
    await services.store.within(organisationId, (db) => recordResult(db, context, decided, made))
  } catch (error) {
    if (context.signal.aborted) return
    const { notice } = asFault(error)
    services.log.warn('a publication could not be made', { organisationId, error })
    await services.store.within(organisationId, (db) => noteFailure(db, decided, notice))
  }
}

interface MadePublication {
  readonly result: PublicationResult
  /** The number that the target shows now, if it is higher. */
  readonly newest: number
  readonly notice: string | null
}

async function publishInTarget(
  services: PublicationServices,
  { warehouseTarget, signal }: PublicationContext,
  decided: DecidedPublication,
): Promise<MadePublication> {
  const { setId: set, number, runs } = decided
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  await using target = await openPublishingTarget(services, { decided, warehouseTarget, signal: limited })
  if (target === null) {
    const notice = `The views are still in ${decided.name}: no connector loads this database any more, so Tributary cannot remove them. Drop them yourself.`
    return { result: { outcome: 'published' }, newest: number, notice }
  }
  const result = await target.publish({
    set,
    number,
    runs: runs.map(({ connectorId, runId }) => ({ connectorId, runId })),
  })
  const newest = result.outcome === 'superseded' ? ((await target.readPublication(set))?.number ?? number) : number
  return { result, newest, notice: null }
}

async function recordResult(
  db: Db,
  { afterPublishing }: PublicationContext,
  decided: DecidedPublication,
  { result, newest, notice }: MadePublication,
): Promise<void> {
  const { organisationId, setId, number, runs } = decided
  if (result.outcome === 'published') {
    if (!(await markPublished(db, organisationId, { setId, number, notice }))) return
    // Runs that ended meanwhile are decided about at once.
    await updateSet(db, organisationId, setId, { notice, staysSince: null, decidedAt: null })
    if (runs.length > 0) await afterPublishing?.(db, decided)
    return
  }
  await discardPending(db, organisationId, setId, number)
  // The store was restored from a backup, so the target has made later publications.
  if (result.outcome === 'superseded')
    await updateSet(db, organisationId, setId, {
      lastNumber: sql<number>`greatest(lastNumber, ${newest})`,
      decidedAt: null,
    })
  else
    await noteFailure(
      db,
      decided,
      'The target no longer has what was prepared for this publication. The next run of each connector prepares it again.',
    )
}

/** It is tried again with the next decision. */
async function noteFailure(db: Db, { organisationId, setId }: DecidedPublication, notice: string): Promise<void> {
  const now = sql<string>`now()`
  await updateSet(db, organisationId, setId, {
    notice,
    decidedAt: now,
    staysSince: sql<string>`coalesce(staysSince, ${now})`,
  })
}
