/** The catalogue of connector types, with the form of each. */
import * as z from 'zod'

const FieldChoice = z.object({ Value: z.string(), Label: z.string() })
const OtherFieldValue = z.object({ Key: z.string(), Value: z.string() })
export const SettingsField = z.object({
  Key: z.string(),
  Label: z.string(),
  Kind: z.enum(['text', 'secret', 'switch', 'number', 'choice', 'list', 'yaml']),
  /** With `ShownFor`: only with one of those choices. */
  Required: z.boolean(),
  Help: z.string().nullable(),
  Placeholder: z.string().nullable(),
  Choices: z.array(FieldChoice),
  Initial: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  /** Shown only if it has a value (`Demo` may contain one); sent like any other field. */
  Hidden: z.boolean(),
  /** Shown only with one of these choices of other fields of its section, or if it has a value. Absent: always. */
  ShownFor: z.array(OtherFieldValue).optional(),
  /** Not shown with one of these values of other fields of its section, unless it was changed. Absent: never. */
  HiddenFor: z.array(OtherFieldValue).optional(),
})
export type SettingsField = z.infer<typeof SettingsField>

/**
 * A section of the edit form. `plain`: one property per field; `object`: the fields together are the value of
 * `Property`.
 */
export const SettingsSection = z.object({
  Property: z.string(),
  Shape: z.enum(['object', 'plain']),
  Title: z.string(),
  Help: z.string().nullable(),
  Fields: z.array(SettingsField),
})
export type SettingsSection = z.infer<typeof SettingsSection>

/** A bundle of streams. Base bundles come with every connector; a superadmin enables others. */
export const Licence = z.object({ Id: z.string(), Base: z.boolean(), Title: z.string(), Description: z.string() })
export type Licence = z.infer<typeof Licence>

export const ConnectorType = z.object({
  Id: z.uuid(),
  Type: z.string(),
  Title: z.string(),
  /** One sentence for the catalogue: the data it provides. */
  Description: z.string(),
  Needs: z.string(),
  /** Steps to find the settings in the source. */
  Guide: z.array(z.string()),
  Licences: z.array(Licence),
  Kind: z.enum(['database', 'inventory', 'accounting', 'erp', 'payments', 'custom', 'spreadsheet']),
  IsEarlyStages: z.boolean(),
  RequiresAuthorisation: z.boolean(),
  /**
   * The source's settings, followed by one section per kind of target. The selected kind is stored in
   * the target's connection under the key `connector`; a connection without other values means the warehouse.
   */
  Sections: z.array(SettingsSection),
  Targets: z.array(z.object({ Kind: z.string(), Title: z.string(), Section: SettingsSection })),
  /** The default schedule: five-field cron in the organisation's time zone. Null for types without a connection. */
  DefaultSchedule: z.string().nullable(),
  /** In trial mode: form values that connect to the simulated source. */
  Demo: z.record(z.string(), z.unknown()).nullable(),
})
export type ConnectorType = z.infer<typeof ConnectorType>
