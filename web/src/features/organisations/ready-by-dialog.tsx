/** By when the rows of all connectors of an organisation must be ready. */
import type { Organisation } from '@tributary/contract/organisations'
import { OrganisationPromises } from '../../domain/ready-by/organisation-promises.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'

interface ReadyByDialogProps {
  organisation: Organisation
  onClose: () => void
}

export function ReadyByDialog({ organisation, onClose }: ReadyByDialogProps) {
  return (
    <Dialog kind="drawer" title="Ready by" subtitle={organisation.CompanyName} onClose={onClose}>
      <p className="small subtle">
        Tributary plans the starts of all connectors backwards from this time, and warns you before a time that it
        cannot keep. A connector can have a different time, on its own page.
      </p>
      <OrganisationPromises clientId={organisation.Id} />
    </Dialog>
  )
}
