import type { Connector } from '@tributary/contract/connectors'

/** The form of a connector, over the management page. */
export type OpenConnectorForm =
  | { readonly what: 'add' }
  | { readonly what: 'edit' | 'reconnect'; readonly connector: Connector }

/** The dialog that is open over the management page. */
export type OpenManagePageDialog =
  | OpenConnectorForm
  | { readonly what: 'users' | 'delete' | 'disconnect'; readonly connector: Connector }
  | { readonly what: 'disconnectAll' | 'chooseReconnect'; readonly connectors: readonly Connector[] }
