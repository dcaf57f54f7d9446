/** What belongs to a connector beside its settings: licences, alerts, sharing. Each is asked for when the form opens. */
import { useMay } from '../../api/workspace.ts'
import { AlertsFold } from './alerts-fold.tsx'
import { LicencesFold } from './licences-fold.tsx'
import { SharingFold } from './sharing-fold.tsx'
import type { ExtrasProps } from './extras.ts'

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
