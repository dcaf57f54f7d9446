import type { Connector } from '@tributary/contract/connectors'

/** The form of a connector lies over the management page. */
export type OpenedForm =
  | { readonly what: 'add' }
  | { readonly what: 'edit' | 'reconnect'; readonly connector: Connector }

/** What lies over the management page: nothing, or one dialog. */
export type Opened =
  | OpenedForm
  | { readonly what: 'users' | 'delete' | 'disconnect'; readonly connector: Connector }
  | { readonly what: 'disconnectAll' | 'chooseReconnect'; readonly connectors: readonly Connector[] }
