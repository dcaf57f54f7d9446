/** Whether assistants may read an organisation's data over the Model Context Protocol, and of which sources. */
import * as z from 'zod'
import { route } from './route.ts'
import { ofClient } from './route-parts.ts'

/** Terms that restrict what assistants may do with the data of a source. */
const Terms = z.object({ Name: z.string(), Address: z.string(), Restriction: z.string() })

export const AssistantSource = z.object({
  Type: z.string(),
  Title: z.string(),
  Allowed: z.boolean(),
  /** Null: none. Otherwise the source is closed to assistants until an administrator has confirmed them. */
  Terms: Terms.nullable(),
  /** The latest decision of the organisation. Null: the product's choice applies. */
  ChangedAtUtc: z.string().nullable(),
  ChangedBy: z.string().nullable(),
})
export type AssistantSource = z.infer<typeof AssistantSource>

export const AssistantPolicy = z.object({
  /** The organisation's own choice. */
  Allowed: z.boolean(),
  /** False: the provider has not switched assistants on. */
  AllowedByProvider: z.boolean(),
  Sources: z.array(AssistantSource),
})
export type AssistantPolicy = z.infer<typeof AssistantPolicy>

const base = '/tributary/clients/:clientId/assistants'

export const assistants = {
  policy: route({
    method: 'GET',
    path: base,
    summary: 'Whether assistants may read the organisation’s data, and of which sources.',
    allow: 'useTokens',
    ...ofClient,
    passive: true,
    reply: AssistantPolicy,
  }),
  setPolicy: route({
    method: 'PUT',
    path: base,
    summary: 'Switch assistants of the organisation on or off.',
    allow: 'manageTokens',
    ...ofClient,
    needsFreshProof: true,
    body: z.strictObject({ allowed: z.boolean() }),
    reply: AssistantPolicy,
  }),
  setSource: route({
    method: 'PUT',
    path: `${base}/sources/:sourceType`,
    summary:
      'Open the tables of a type of source to assistants, or close them. Where terms restrict it, only an administrator of the organisation opens them, and confirms the terms by their name.',
    allow: 'manageTokens',
    scope: ofClient.scope,
    params: ofClient.params.extend({ sourceType: z.string().max(100) }),
    needsFreshProof: true,
    body: z.strictObject({ allowed: z.boolean(), acceptedTerms: z.string().max(200).nullable() }),
    reply: AssistantPolicy,
    faults: ['assistantTerms'],
  }),
} as const
