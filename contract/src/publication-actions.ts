/** Actions after a publication: a signed webhook, a refresh of a Power BI dataset, or a dbt job, each with its log. */
import * as z from 'zod'
import { Id } from './id.ts'
import { publicationActionLimits } from './limits.ts'
import { Name } from './name.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()
const { addressMax, secretMax, hostMax, idMax } = publicationActionLimits

export const PublicationActionKind = z.enum(['webhook', 'powerBi', 'dbt'])
export type PublicationActionKind = z.infer<typeof PublicationActionKind>

/** Power BI allows 8 refreshes in 24 hours for a dataset in shared capacity (Pro), 48 in Premium. */
export const PowerBiCapacity = z.enum(['shared', 'premium'])
export type PowerBiCapacity = z.infer<typeof PowerBiCapacity>
export const refreshesByCapacity: Readonly<Record<PowerBiCapacity, number>> = { shared: 8, premium: 48 }

/** `DROPPED`: it never began, because a newer publication replaced it or the action was switched off. */
export const PublicationActionStatus = z.enum(['WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'DROPPED'])
export type PublicationActionStatus = z.infer<typeof PublicationActionStatus>

export const PublicationActionRun = z.object({
  Id: z.uuid(),
  Trigger: z.enum(['publication', 'person']),
  Status: PublicationActionStatus,
  CreatedAtUtc: time,
  /** When the service accepted it. */
  StartedAtUtc: time.nullable(),
  EndedAtUtc: time.nullable(),
  /** When it is tried, or its result is read, next. Null: it is over. */
  DueAtUtc: time.nullable(),
  /** Requests to start it; those that a limit refused do not count. */
  Attempts: z.number().int(),
  /** For people: the result, or what it waits for. */
  Notice: z.string().nullable(),
  /** Oldest first; the latest fifty. */
  Log: z.array(
    z.object({
      AtUtc: time,
      DurationMs: z.number().int(),
      /** Of HTTP. Null: no answer. */
      Status: z.number().int().nullable(),
      /** The answer in words. */
      Notice: z.string(),
    }),
  ),
})
export type PublicationActionRun = z.infer<typeof PublicationActionRun>

export const PublicationAction = z.object({
  Id: z.uuid(),
  Kind: PublicationActionKind,
  Name: z.string(),
  IsOn: z.boolean(),
  /** The publication set that it follows. Null: all of the organisation. */
  SetId: z.uuid().nullable(),
  /** `Address`: the host, and the mask. The rest of the address is a secret. */
  Webhook: z.object({ Address: z.string() }).nullable(),
  PowerBi: z
    .object({
      TenantId: z.string(),
      ApplicationId: z.string(),
      WorkspaceId: z.string(),
      DatasetId: z.string(),
      Capacity: PowerBiCapacity,
    })
    .nullable(),
  Dbt: z.object({ Host: z.string(), AccountId: z.string(), JobId: z.string() }).nullable(),
  /** Since when no run of it has completed. */
  FailingSinceUtc: time.nullable(),
  LastRun: PublicationActionRun.omit({ Log: true }).nullable(),
  /** Signs the messages of a webhook. Returned once, by the call that sets its address. */
  SigningSecret: z.string().nullable(),
})
export type PublicationAction = z.infer<typeof PublicationAction>

const secret = z.string().min(1).max(secretMax)
/** dbt writes its ids as numbers; they exceed what JavaScript holds exactly. */
const DbtId = z
  .string()
  .max(idMax)
  .regex(/^[1-9]\d*$/u)

/** Exactly one of `webhook`, `powerBi` and `dbt`. The mask in place of a secret keeps the one that is stored. */
export const PublicationActionInput = z.strictObject({
  name: Name,
  isOn: z.boolean(),
  setId: Id.nullable(),
  webhook: z.strictObject({ address: z.url().max(addressMax) }).optional(),
  powerBi: z
    .strictObject({
      tenantId: Id,
      applicationId: Id,
      clientSecret: secret,
      workspaceId: Id,
      datasetId: Id,
      capacity: PowerBiCapacity,
    })
    .optional(),
  dbt: z
    .strictObject({ host: z.string().trim().toLowerCase().max(hostMax), accountId: DbtId, jobId: DbtId, token: secret })
    .optional(),
})
export type PublicationActionInput = z.infer<typeof PublicationActionInput>

const path = '/tributary/clients/:clientId/publication-actions'
const allow = 'editPublicationActions'
const ofAction = { scope: ofClient.scope, params: ofClient.params.extend({ actionId: Id }) }

export const publicationActions = {
  list: route({
    method: 'GET',
    path,
    summary: 'List what happens after a publication.',
    allow,
    ...ofClient,
    passive: true,
    reply: z.array(PublicationAction),
  }),
  create: route({
    method: 'POST',
    path,
    summary: 'Add an action that follows each publication.',
    allow,
    ...ofClient,
    body: PublicationActionInput,
    status: 201,
    reply: PublicationAction,
    faults: ['settingsWrong', 'tooMany'],
  }),
  save: route({
    method: 'PUT',
    path: `${path}/:actionId`,
    summary:
      'Change an action. The mask in place of a secret keeps the one that is stored, unless it would be sent to another address.',
    allow,
    ...ofAction,
    body: PublicationActionInput,
    reply: PublicationAction,
    faults: ['settingsWrong', 'secretNeeded', 'tooMany'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/:actionId`,
    summary: 'Remove an action with its log. Runs that wait do not begin.',
    allow,
    ...ofAction,
  }),
  test: route({
    method: 'POST',
    path: `${path}/:actionId/test`,
    summary:
      'Send a test message to a webhook, or check that the service accepts the sign-in and knows the dataset or the job. Refreshes and runs nothing.',
    allow,
    ...ofAction,
    reply: z.object({ Works: z.boolean(), Notice: z.string() }),
    faults: ['settingsWrong', 'tooMany'],
  }),
  run: route({
    method: 'POST',
    path: `${path}/:actionId/runs`,
    summary: 'Run the action now, as if after a publication.',
    allow,
    ...ofAction,
    status: 202,
    reply: PublicationActionRun,
    faults: ['tooMany'],
  }),
  runs: route({
    method: 'GET',
    path: `${path}/:actionId/runs`,
    summary: 'The log of an action: its runs with their attempts, latest first; the latest hundred.',
    allow,
    ...ofAction,
    passive: true,
    reply: z.array(PublicationActionRun),
  }),
}
