/** Alert channels: where incidents are reported to an organisation and to each of its people, which ones, and how often. */
import * as z from 'zod'
import type { Capability } from './capabilities.ts'
import { Id } from './id.ts'
import { alertChannelLimits } from './limits.ts'
import { Name } from './name.ts'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

const time = z.iso.datetime()
const { addressMax, connectorsMax } = alertChannelLimits

/** The services that messages are posted to. Mail is a channel, too, but needs no address. */
export const AlertService = z.enum(['slack', 'teams', 'webhook'])
export type AlertService = z.infer<typeof AlertService>

export const AlertKind = z.enum([
  'actionNeeded',
  'failed',
  'stalled',
  'tieOut',
  'verification',
  'closedPeriod',
  'afterPublishing',
  'publication',
  'readyBy',
])
export type AlertKind = z.infer<typeof AlertKind>

/** @param incidentKind a kind of fault, `stalled`, or a kind that is also a kind of alert */
export function alertKindOf(incidentKind: string): AlertKind {
  if (
    incidentKind === 'stalled' ||
    incidentKind === 'tieOut' ||
    incidentKind === 'verification' ||
    incidentKind === 'closedPeriod' ||
    incidentKind === 'afterPublishing' ||
    incidentKind === 'publication' ||
    incidentKind === 'readyBy'
  )
    return incidentKind
  return incidentKind === 'settings' || incidentKind === 'signIn' ? 'actionNeeded' : 'failed'
}

export const AlertFrequency = z.enum(['immediately', 'daily', 'never'])
export type AlertFrequency = z.infer<typeof AlertFrequency>

/** Which incidents are reported, and how often. */
export const AlertChoice = z.object({
  /** Null: all kinds. */
  Kinds: z.array(AlertKind).nullable(),
  /** Null: all connectors, or those that the person may see. */
  Connectors: z.array(z.uuid()).nullable(),
  Frequency: AlertFrequency,
  /** The hour of the daily digest, from 0 to 23. */
  Hour: z.number().int(),
  /** The time zone of the hour: the person's, or else the organisation's. */
  TimeZone: z.string(),
})
export type AlertChoice = z.infer<typeof AlertChoice>

export const AlertChannel = AlertChoice.extend({
  Id: z.uuid(),
  Service: AlertService,
  Name: z.string(),
  /** The host of the address, and the mask. The rest of the address is a secret. */
  Address: z.string(),
  /** The latest message. Null: none was sent yet. */
  LastDelivery: z
    .object({
      Status: z.enum(['WAITING', 'DELIVERED', 'FAILED']),
      AtUtc: time,
      Notice: z.string().nullable(),
    })
    .nullable(),
  /** Signs the messages of a webhook. Returned once, by the call that sets its address. */
  Secret: z.string().nullable(),
})
export type AlertChannel = z.infer<typeof AlertChannel>

export const AlertChannels = z.object({
  /** The chosen mails. Null: nothing was chosen, so mails are sent at once to the recipients that each connector names. */
  Mail: AlertChoice.nullable(),
  Channels: z.array(AlertChannel),
})
export type AlertChannels = z.infer<typeof AlertChannels>

const choice = {
  kinds: z.array(AlertKind).min(1).max(AlertKind.options.length).nullable(),
  connectors: z.array(Id).min(1).max(connectorsMax).nullable(),
  frequency: AlertFrequency,
  hour: z.number().int().min(0).max(23),
  /** The browser's, for people who have chosen none in their preferences. */
  timeZone: z.string().min(1).max(60).optional(),
}
export const AlertChoiceInput = z.strictObject(choice)
export type AlertChoiceInput = z.infer<typeof AlertChoiceInput>

/** The masked address keeps the one that is stored. */
export const AlertChannelInput = z.strictObject({
  ...choice,
  service: AlertService,
  name: Name,
  address: z.url().max(addressMax),
})
export type AlertChannelInput = z.infer<typeof AlertChannelInput>

/** `Notice`: the answer of the service, in words. */
const TestReply = z.object({ Delivered: z.boolean(), Notice: z.string() })

const ofChannel = { scope: ofClient.scope, params: ofClient.params.extend({ channelId: Id }) }

/** @param whose begins a noun phrase, such as `one’s own` */
function channelRoutes<const Path extends string, const Allow extends Capability>(
  path: Path,
  allow: Allow,
  whose: string,
) {
  return {
    list: route({
      method: 'GET',
      path,
      summary: `List ${whose} alert channels.`,
      allow,
      ...ofClient,
      reply: AlertChannels,
    }),
    create: route({
      method: 'POST',
      path,
      summary: `Add one of ${whose} alert channels.`,
      allow,
      ...ofClient,
      body: AlertChannelInput,
      status: 201,
      reply: AlertChannel,
      faults: ['settingsWrong', 'tooMany'],
    }),
    save: route({
      method: 'PUT',
      path: `${path}/:channelId`,
      summary: `Change one of ${whose} alert channels. The masked address keeps the one that is stored.`,
      allow,
      ...ofChannel,
      body: AlertChannelInput,
      reply: AlertChannel,
      faults: ['settingsWrong', 'tooMany'],
    }),
    remove: route({
      method: 'DELETE',
      path: `${path}/:channelId`,
      summary: `Remove one of ${whose} alert channels. Messages that wait for it are not sent.`,
      allow,
      ...ofChannel,
    }),
    test: route({
      method: 'POST',
      path: `${path}/:channelId/test`,
      summary: 'Send a test message and return the answer of the service.',
      allow,
      ...ofChannel,
      reply: TestReply,
      faults: ['settingsWrong', 'tooMany'],
    }),
  }
}

function mailRoutes<const Path extends string, const Allow extends Capability>(
  path: Path,
  allow: Allow,
  whose: string,
) {
  return {
    saveMail: route({
      method: 'PUT',
      path: `${path}/mail`,
      summary: `Choose ${whose} mails. Null removes the choice.`,
      allow,
      ...ofClient,
      body: z.strictObject({ choice: AlertChoiceInput.nullable() }),
      reply: AlertChannels,
    }),
    testMail: route({
      method: 'POST',
      path: `${path}/mail/test`,
      summary: 'Send a test mail to the caller and return the answer of the mail server.',
      allow,
      ...ofClient,
      reply: TestReply,
      faults: ['tooMany'],
    }),
  }
}

function routesAt<const Path extends string, const Allow extends Capability>(path: Path, allow: Allow, whose: string) {
  return { ...channelRoutes(path, allow, whose), ...mailRoutes(path, allow, whose) }
}

export const alertChannels = routesAt('/tributary/clients/:clientId/alert-channels', 'editAlerts', 'the organisation’s')
export const ownAlertChannels = routesAt('/tributary/clients/:clientId/profile/alert-channels', 'seeRuns', 'one’s own')
