/** A connector's settings as fields, from which the portal draws its form and the server checks what it stores. */

export type SettingsFieldKind = 'text' | 'secret' | 'switch' | 'number' | 'choice' | 'list'

export interface ConnectorSettingsField {
  /** The key under its property (`data source`), or the property itself (`cin7.accountId`) where it holds a plain value. */
  readonly key: string
  readonly label: string
  readonly kind: SettingsFieldKind
  readonly required: boolean
  readonly help?: string
  readonly placeholder?: string
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** What a new connector starts with. */
  readonly initial?: string | number | boolean
  /** A change of such a field asks for the secrets again: it says where, or as whom, they would be sent. */
  readonly bindsSecret?: boolean
  /** Not drawn in the form unless it has a value; stored, checked and bound like any other. */
  readonly hidden?: boolean
}

export interface ConnectorSettingsSection {
  /** The connector property this section is stored in: `source.connectionString`. */
  readonly property: string
  /** `object`: one property whose value is an object of the fields; `plain`: each field is a property of its own. */
  readonly shape: 'object' | 'plain'
  readonly title: string
  readonly help?: string
  readonly fields: readonly ConnectorSettingsField[]
}

/** One named check of 'Test connection'. */
export interface ConnectionCheckResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** On failure: what is wrong and what to do. */
  readonly notice?: string
  /** A statement by which the database's owner mends it, ready to copy. */
  readonly remedy?: string
}
