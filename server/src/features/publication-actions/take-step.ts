/** One step of a run at its service: start it, or read its result. Also the test of an action. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { sendMessage } from '../../messaging/webhooks/webhook.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import { checkJob, readJobRun, startJob } from './services/dbt.ts'
import { checkDataset, readRefresh, startRefresh } from './services/power-bi.ts'
import { resultOf, type StepResult } from './services/service-call.ts'
import {
  type ActionLocation,
  type ActionSettings,
  type DbtSettings,
  type PowerBiSettings,
  secretLocation,
  signingSecretLocation,
} from './stored-action.ts'

export type StepServices = Pick<AppServices, 'clock' | 'config' | 'network' | 'secrets' | 'store'>

export type SealedAction = ActionLocation &
  ActionSettings & { readonly secret: string; readonly signingSecret: string | null }

interface RunToStep {
  readonly id: string
  /** Null: it has not begun. */
  readonly remoteId: string | null
  /** What is reported to a webhook. Null: a person started the run. */
  readonly publication: unknown
  /** Of the database. */
  readonly now: string
}

/** Decrypted. */
type OpenAction = ActionSettings & { readonly secret: string; readonly signingSecret: string | null }

/** Null if a secret cannot be decrypted any more. */
export function openAction(db: Db, { secrets }: Pick<AppServices, 'secrets'>, action: SealedAction) {
  return decryptOr(null, async (): Promise<OpenAction> => ({
    ...action,
    secret: await secrets.decrypt(db, secretLocation(action), action.secret),
    signingSecret:
      action.signingSecret === null
        ? null
        : await secrets.decrypt(db, signingSecretLocation(action), action.signingSecret),
  }))
}

interface Step {
  readonly run: RunToStep
  readonly location: ActionLocation
  readonly action: OpenAction
}

export function takeStep(services: StepServices, step: Step): Promise<StepResult> {
  const { run, location, action } = step
  if (action.kind === 'webhook') return postMessage(services, action, messageOf(location, run))
  if (action.kind === 'dbt') {
    const call = dbtCall(services, action.settings, action.secret)
    const cause = `Tributary published (${run.id})`
    return resultOf(run.remoteId === null ? startJob(call, cause) : readJobRun(call, run.remoteId))
  }
  const call = powerBiCall(services, action.settings, action.secret)
  if (run.remoteId !== null) return resultOf(readRefresh(call, run.remoteId))
  return resultOf(
    listOwnStarts(services, location, action.settings).then((ownStarts) =>
      startRefresh(call, { now: new Date(run.now), ownStarts }),
    ),
  )
}

/** Sends a test message, or checks that the service accepts the sign-in and knows what the action names. */
export function testAction(services: StepServices, location: ActionLocation, action: OpenAction): Promise<StepResult> {
  if (action.kind === 'webhook') return postMessage(services, action, testMessage(location))
  return resultOf(
    action.kind === 'dbt'
      ? checkJob(dbtCall(services, action.settings, action.secret))
      : checkDataset(powerBiCall(services, action.settings, action.secret)),
  )
}

function dbtCall({ config, network }: StepServices, settings: DbtSettings, token: string) {
  return { network, addresses: config.publicationServices, settings, token }
}

function powerBiCall({ config, network }: StepServices, settings: PowerBiSettings, clientSecret: string) {
  return { network, addresses: config.publicationServices, settings, clientSecret }
}

interface WebhookMessage {
  /** The same for each attempt. */
  readonly id: string
  readonly data: object
}

/** Names are those of the API. */
function messageOf({ organisationId, actionId }: ActionLocation, { id, publication }: RunToStep): WebhookMessage {
  return publication === null
    ? { id, data: { Event: 'test', OrganisationId: organisationId, ActionId: actionId } }
    : { id, data: { Event: 'published', OrganisationId: organisationId, Publication: publication } }
}

function testMessage({ organisationId, actionId }: ActionLocation): WebhookMessage {
  return { id: randomUUID(), data: { Event: 'test', OrganisationId: organisationId, ActionId: actionId } }
}

async function postMessage(
  services: StepServices,
  { secret: url, signingSecret }: OpenAction,
  { id, data }: WebhookMessage,
): Promise<StepResult> {
  const message = { id, body: JSON.stringify(data), sentAt: new Date(services.clock.now()) }
  const failure = await sendMessage(services, { url, secret: signingSecret ?? '' }, message)
  if (failure === null) return { outcome: 'completed', status: null, notice: 'The webhook accepted the message.' }
  const { notice, isFinal, retryAfterMs } = failure
  if (retryAfterMs !== null) return { outcome: 'postponed', status: null, notice, waitMs: retryAfterMs }
  return { outcome: isFinal ? 'failed' : 'refused', status: null, notice }
}

/** Refreshes of the same dataset in the last two days, of all actions of the organisation. */
function listOwnStarts(
  { store }: StepServices,
  { organisationId }: ActionLocation,
  { workspaceId, datasetId }: PowerBiSettings,
) {
  return store.within(organisationId, (db) =>
    db
      .selectFrom('publicationActionRun as run')
      .innerJoin('publicationAction as action', 'action.id', 'run.actionId')
      .select(['run.remoteId', 'run.startedAt'])
      .where('run.organisationId', '=', organisationId)
      .where('action.kind', '=', 'powerBi')
      .where(sql<boolean>`action.settings @> ${JSON.stringify({ workspaceId, datasetId })}::jsonb`)
      .where(sql<boolean>`run.startedAt > now() - interval '2 days'`)
      .$narrowType<{ remoteId: string; startedAt: string }>()
      .execute(),
  )
}
