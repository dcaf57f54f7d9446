/**
 * One attempt of a run: opens source and target and runs the engine's sync over the selected and licensed streams, then verifies a slice.
 * A verification only compares, an erasure only clears values in history, and maintenance only joins and removes files.
 */
import { baseBundle } from '@tributary/engine/ports/source'
import type { SyncOutcome } from '@tributary/engine/sync/sync-request'
import { sync } from '@tributary/engine/sync/run'
import { readWords } from '../../../access/dictionary/dictionary.ts'
import {
  listBundles,
  listGrantedLicences,
  filterLicensedBundles,
} from '../../../connections/connectors/connector-licences.ts'
import { findSource } from '../../../connections/connectors/connector-types.ts'
import { openSource } from '../../../connections/connectors/open-source.ts'
import { decryptSettings } from '../../../connections/connectors/connector-settings.ts'
import { applyDefaultTarget } from '../../../connections/databases/database-credentials.ts'
import { lakeFolderOf } from '../../../connections/databases/lake-folder.ts'
import { keepsHistory, listHistoryReasons } from '../../../connections/history/history-reasons.ts'
import { listRetention, trimsHistory } from '../../../connections/history/history-retention.ts'
import {
  findPublicationSet,
  listPublishedMoments,
  planOffer,
} from '../../../connections/publications/publication-sets.ts'
import { identifyTarget } from '../../../connections/publications/target-database.ts'
import { provideCredentials } from '../../../connections/oauth/oauth.ts'
import { listBudgetTables } from '../../../access/questions/budget-tables.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { isVerification, type RunMode } from '../../../connections/verifications/verification-runs.ts'
import type { WarehouseTarget } from '../../../connections/databases/warehouse-server.ts'
import type { RunSignals } from './attempt.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { readClosedPeriods, readMarks } from './closed-periods.ts'
import { runErasure } from './erase-person.ts'
import { runMaintenance } from './maintain-target.ts'
import { applyTableRules } from '@tributary/engine/table-rules/ruled-source'
import { readRunRules } from '../../../connections/table-rules/table-rules.ts'
import { openTarget } from './open-run-target.ts'
import type { ProgressReport } from './progress.ts'
import { limitVerificationCalls } from './verification-calls.ts'
import { runVerification, verifySlice } from './verify-streams.ts'
import { listDecisions, listSyncedStreams } from '../queries.ts'

type RunSyncServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'metrics' | 'network' | 'oauth' | 'rateLimiters' | 'secrets' | 'settings' | 'store'
>

export interface SyncRunOptions extends RunSignals {
  readonly services: RunSyncServices
  readonly claim: RunClaim
  readonly progress: ProgressReport
  readonly warehouseTarget: WarehouseTarget
}

/** Runs that do not open the source. */
const targetRuns = { erase: runErasure, maintain: runMaintenance }

function opensTargetOnly(mode: RunMode): mode is keyof typeof targetRuns {
  return Object.hasOwn(targetRuns, mode)
}

export async function syncRun(options: SyncRunOptions): Promise<SyncOutcome> {
  const { services, claim, progress, signal, awaited, warehouseTarget } = options
  const { organisationId, connectorId, runId, fence, connectorKey, type, mode, onlyStreams, readFrom } = claim
  if (opensTargetOnly(mode)) return await targetRuns[mode](options)
  const { settings, lent, bundles, decided, movedBefore, words, closedPeriods, marks, reasons, ...kept } =
    await services.store.within(organisationId, (db) => readSyncInputs(db, services, claim))
  const { network, clock, rateLimiters } = services
  // After the sync only the verification uses source and target, so ending it ends their calls, too.
  const verification = new AbortController()
  const around = { network, clock, rateLimiters, signal: AbortSignal.any([signal, verification.signal]) }
  const log = (line: string) => progress.log(line)
  const calls = await limitVerificationCalls(services, claim, progress)
  await using source = applyTableRules(
    await openSource({ type, settings, lent, log }, { ...around, ...calls.context }),
    { ...kept.tableRules, log },
  )
  const lakeFolder = lakeFolderOf(services.config, organisationId)
  const location = { organisationId, connectorKey, settings }
  await using target = await openTarget(location, { ...around, lakeFolder }, warehouseTarget)
  const publication = planOffer(kept.publicationSet, identifyTarget(organisationId, settings))
  const sides = { services, claim, progress, source, target, beginCalls: calls.begin }
  if (isVerification(mode)) return await runVerification({ ...sides, signal })
  const budgetTables =
    source.questions?.budget === undefined || onlyStreams !== null
      ? []
      : await listBudgetTables(services, { organisationId, settings, warehouseTarget, signal, log })
  const outcome = await sync({
    source,
    budgetTables,
    target,
    writer: { connectorId, runId, fence },
    syncMode: mode,
    movedBefore,
    words,
    keepsHistory: keepsHistory(reasons),
    trimsHistory: trimsHistory(kept.retention, clock.now(), kept.publishedMoments),
    ...publication.request,
    bundles,
    schemaRules: {
      policy: claim.schemaPolicy,
      decisions: decided,
      reportChanges: (...found) => progress.found(...found),
    },
    marks,
    ...(closedPeriods !== undefined && {
      closedPeriods: { ...closedPeriods, definition: findSource(type)?.closedPeriods ?? null },
    }),
    ...(onlyStreams !== null && { streams: onlyStreams }),
    ...(readFrom !== null && { changedSince: new Date(readFrom) }),
    report: (stream) => progress.report(stream),
    log,
    clock,
    signal,
  })
  await verifySlice({ ...sides, signal: around.signal, awaited, stop: () => verification.abort() }, outcome)
  return { ...outcome, offer: publication.failed ?? outcome.offer }
}

async function readSyncInputs(db: Db, { oauth, secrets }: Pick<AppServices, 'oauth' | 'secrets'>, claim: RunClaim) {
  const settings = await decryptSettings(db, secrets, claim)
  const granted = await listGrantedLicences(db, claim)
  return {
    settings: await applyDefaultTarget(db, secrets, claim, settings),
    lent: await provideCredentials(db, oauth, claim),
    // A stream without a bundle belongs to the base bundle, which every connector has.
    bundles: new Set([baseBundle, ...filterLicensedBundles(listBundles(claim.type), granted).map(({ id }) => id)]),
    decided: await listDecisions(db, claim),
    movedBefore: await listSyncedStreams(db, claim),
    words: await readWords(db, claim),
    reasons: await listHistoryReasons(db, claim),
    retention: await listRetention(db, claim),
    tableRules: await readRunRules(db, secrets, claim),
    publishedMoments: await listPublishedMoments(db, claim),
    publicationSet: await findPublicationSet(db, claim),
    closedPeriods: await readClosedPeriods(db, claim),
    marks: await readMarks(db, claim),
  }
}
