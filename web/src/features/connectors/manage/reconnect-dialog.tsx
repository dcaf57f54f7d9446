import type { Connector } from '@tributary/contract/connectors'
import { useState } from 'react'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'

interface ReconnectDialogProps {
  readonly connectors: readonly Connector[]
  readonly onChoose: (connector: Connector) => void
  readonly onClose: () => void
}

/** Selects which disconnected connector to reconnect; its form follows. */
export function ReconnectDialog({ connectors, onChoose, onClose }: ReconnectDialogProps) {
  const [id, setId] = useState(connectors[0]?.Id ?? '')
  const chosen = connectors.find((connector) => connector.Id === id)
  return (
    <FormDialog
      title="Reconnect"
      subtitle="Its history and its rows are still there. The credentials are asked for again."
      onClose={onClose}
      onSubmit={() => chosen !== undefined && onChoose(chosen)}
      submitLabel="Next"
    >
      <RadioGroup
        label="Disconnected connectors"
        choices={connectors.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        value={id}
        onChange={setId}
        hasFocus
      />
    </FormDialog>
  )
}
