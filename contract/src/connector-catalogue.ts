/** The catalogue: the types of connectors there are, and the form that each is set up with. */
import * as z from 'zod'

const FieldChoice = z.object({ Value: z.string(), Label: z.string() })
export const SettingsField = z.object({
  Key: z.string(),
  Label: z.string(),
  Kind: z.enum(['text', 'secret', 'switch', 'number', 'choice', 'list']),
  Required: z.boolean(),
  Help: z.string().nullable(),
  Placeholder: z.string().nullable(),
  Choices: z.array(FieldChoice),
  Initial: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  /** Drawn only where it has a value (`Demo` may bring one); sent along like any other. */
  Hidden: z.boolean(),
})
export type SettingsField = z.infer<typeof SettingsField>

/** One part of the edit form. `plain`: each field is a property of its own; `object`: together they are the value of `Property`. */
export const SettingsSection = z.object({
  Property: z.string(),
  Shape: z.enum(['object', 'plain']),
  Title: z.string(),
  Help: z.string().nullable(),
  Fields: z.array(SettingsField),
})
export type SettingsSection = z.infer<typeof SettingsSection>

/** A bundle of streams. A Base one comes with every connector; others are switched on by a superadmin. */
export const Licence = z.object({ Id: z.string(), Base: z.boolean(), Title: z.string(), Description: z.string() })
export type Licence = z.infer<typeof Licence>

export const ConnectorType = z.object({
  Id: z.uuid(),
  Type: z.string(),
  Title: z.string(),
  /** One sentence for the catalogue: what comes out of it. */
  Description: z.string(),
  Needs: z.string(),
  /** Step by step, where in the source its settings are found. */
  Guide: z.array(z.string()),
  Licences: z.array(Licence),
  Kind: z.enum(['database', 'inventory', 'accounting', 'erp', 'spreadsheet']),
  IsEarlyStages: z.boolean(),
  RequiresAuthorisation: z.boolean(),
  /**
   * How to reach the source; then where the rows go, one section for each kind of target. The kind chosen is written into
   * the target's connection under the key `connector`; a connection without further values means the product's own warehouse.
   */
  Sections: z.array(SettingsSection),
  Targets: z.array(z.object({ Kind: z.string(), Title: z.string(), Section: SettingsSection })),
  /** Five-field cron in the organisation's time zone: what a new connector gets whose request names no schedule; null where nothing is connected. */
  DefaultSchedule: z.string().nullable(),
  /** In trial mode: values that reach the simulated source, to fill the form with. */
  Demo: z.record(z.string(), z.unknown()).nullable(),
})
export type ConnectorType = z.infer<typeof ConnectorType>
