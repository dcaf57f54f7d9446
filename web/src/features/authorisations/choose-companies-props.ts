import type { Authorisation } from '@tributary/contract/authorisations'

/** What both kinds of choice are told: of new connectors, and of the one that is to be connected again. */
export interface ChoiceProps {
  readonly authorisation: Authorisation
  readonly onConnected: (connectorIds: readonly string[]) => void
  readonly onClose: () => void
}
