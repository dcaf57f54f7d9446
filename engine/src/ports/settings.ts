/** A connector's settings as fields. The portal builds its form from them, and the server validates input with them. */

/** `yaml`: the text of a source description. */
export type SettingsFieldKind = 'text' | 'secret' | 'switch' | 'number' | 'choice' | 'list' | 'yaml'

export interface ConnectorSettingsField {
  /** The key within its property (`data source`), or the property itself (`cin7.accountId`) in a `plain` section. */
  readonly key: string
  readonly label: string
  readonly kind: SettingsFieldKind
  /** With `shownFor`: required with one of those choices. The source or target checks that, because it knows the choice. */
  readonly required: boolean
  readonly help?: string
  readonly placeholder?: string
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** The value of a new connector. */
  readonly initial?: string | number | boolean
  /** True for host and user: after a change the secrets must be entered again, because they would be sent elsewhere. */
  readonly bindsSecret?: boolean
  /** Shown in the form only if it has a value; otherwise like any other field. */
  readonly hidden?: boolean
  /** Choices of other fields of the section, one of which needs this field. The form shows it only with one of them, or if it has a value. */
  readonly shownFor?: readonly SettingsChoice[]
  /** Values of other fields of the section, each of which makes this field meaningless. The form hides it unless it was changed. */
  readonly hiddenFor?: readonly SettingsChoice[]
}

interface SettingsChoice {
  readonly key: string
  readonly value: string
}

export interface ConnectorSettingsSection {
  /** The connector property that stores the section: `source.connectionString`. */
  readonly property: string
  /** `object`: one property with an object of the fields; `plain`: one property per field. */
  readonly shape: 'object' | 'plain'
  readonly title: string
  readonly help?: string
  readonly fields: readonly ConnectorSettingsField[]
}

/** The result of one named check of ‘Test connection’. */
export interface ConnectionTestResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** On failure: what is wrong, and what to do. */
  readonly notice?: string
  /** SQL that fixes the failure when the database's owner runs it, ready to copy. */
  readonly remedy?: string
}
