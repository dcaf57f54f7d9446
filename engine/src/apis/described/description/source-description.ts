/** A source description of either engine, and its published JSON Schema. */
import * as z from 'zod'
import { ODataDescription } from './schema-odata.ts'
import { RestDescription } from './schema.ts'

export const SourceDescription = z.discriminatedUnion('engine', [RestDescription, ODataDescription])
export type SourceDescription = z.infer<typeof SourceDescription>

/** The published JSON Schema, with which an editor completes and checks a description. */
export function descriptionSchema(): object {
  return z.toJSONSchema(SourceDescription, { io: 'input' })
}
