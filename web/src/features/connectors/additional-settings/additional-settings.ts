import type { Connector } from '@tributary/contract/connectors'

/** What was changed of that which belongs to a connector beside its settings; what is absent stays as it is. */
export interface Extras {
  readonly licences?: readonly string[]
  readonly alerts?: { readonly users: readonly string[] | null; readonly url: string }
  readonly organisations?: readonly string[]
}

/** A part of the form that shows and changes some of it. */
export interface ExtrasProps {
  readonly connector: Connector
  readonly extras: Extras
  readonly onChange: (extras: Extras) => void
}
