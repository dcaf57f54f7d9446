import type { Connector } from '@tributary/contract/connectors'

/** Unsaved changes of licences, alerts and sharing. An absent field is unchanged. */
export interface AdditionalSettings {
  readonly licences?: readonly string[]
  readonly alerts?: { readonly users: readonly string[] | null; readonly url: string }
  readonly organisations?: readonly string[]
}

/** Props of each form section that shows and changes additional settings. */
export interface AdditionalSettingsProps {
  readonly connector: Connector
  readonly settings: AdditionalSettings
  readonly onChange: (settings: AdditionalSettings) => void
}
