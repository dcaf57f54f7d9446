/** What belongs to a connector beside its settings: licences, alerts, sharing. Each is asked for when the form opens. */
import { useMay } from '../../../api/session/workspace.ts'
import { AlertsFold } from './alert-settings.tsx'
import { LicencesFold } from './licence-settings.tsx'
import { SharingFold } from './sharing-settings.tsx'
import type { ExtrasProps } from './additional-settings.ts'

export function ExtrasFields(props: ExtrasProps) {
  const may = useMay()
  return (
    <>
      {may('seeAllLicences') ? <LicencesFold {...props} /> : null}
      {may('editAlerts') ? <AlertsFold {...props} /> : null}
      {may('assignConnectorOrganisations') ? <SharingFold {...props} /> : null}
    </>
  )
}
