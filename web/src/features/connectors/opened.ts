import type { Connector } from '@tributary/contract/connectors'

/** What lies over the management page: nothing, or one dialog. */
export type Opened =
  | { readonly what: 'add' }
  | { readonly what: 'edit' | 'users' | 'delete' | 'disconnect'; readonly connector: Connector }
  | { readonly what: 'disconnectAll'; readonly connectors: readonly Connector[] }
