import type { Authorisation } from '@tributary/contract/authorisations'

/** Props that both dialogs share: new connectors, and reconnecting one. */
export interface ChooseCompaniesProps {
  readonly authorisation: Authorisation
  readonly onConnected: (connectorIds: readonly string[]) => void
  readonly onClose: () => void
}
