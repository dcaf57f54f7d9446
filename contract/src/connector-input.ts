/** The input of creating and changing a connector. */
import * as z from 'zod'
import { Id } from './id.ts'
import { Name } from './name.ts'

export const schemaPolicies = ['take', 'ask', 'stop'] as const
export const SchemaPolicy = z.enum(schemaPolicies)

export const PropertyInput = z.strictObject({ name: z.string().min(1).max(100), value: z.unknown() })
/**
 * Five-field cron in the organisation's time zone; null or empty: manual runs only. If absent, a new connector gets the
 * default schedule.
 */
const schedule = z.string().trim().max(100).nullable()

export const ConnectorInput = z.strictObject({
  type: z.string().min(1).max(50),
  name: Name,
  schedule: schedule.optional(),
  schemaPolicy: SchemaPolicy.optional(),
  properties: z.array(PropertyInput).max(50),
})
export type ConnectorInput = z.infer<typeof ConnectorInput>
export const ConnectorPatch = z.strictObject({
  name: Name.optional(),
  schedule: schedule.optional(),
  status: z.enum(['CONNECTED']).optional(),
  schemaPolicy: SchemaPolicy.optional(),
  properties: z.array(PropertyInput).max(50).optional(),
})
export type ConnectorPatch = z.infer<typeof ConnectorPatch>

const { type, properties } = ConnectorInput.shape
/** A call that tries settings before they are saved. */
export const settingsTrial = {
  body: z.strictObject({ type, connectorId: Id.optional(), properties }),
  faults: ['settingsWrong', 'secretNeeded', 'secretUnreadable', 'tooMany'],
} as const
