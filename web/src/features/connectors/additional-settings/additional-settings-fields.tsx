/** Settings saved separately from the connector: licences, alerts, sharing. Each loads when the form opens. */
import { useMay } from '../../../api/session/workspace.ts'
import { AlertSettings } from './alert-settings.tsx'
import { LicenceSettings } from './licence-settings.tsx'
import { SharingSettings } from './sharing-settings.tsx'
import type { AdditionalSettingsProps } from './additional-settings.ts'

export function AdditionalSettingsFields(props: AdditionalSettingsProps) {
  const may = useMay()
  return (
    <>
      {may('seeAllLicences') ? <LicenceSettings {...props} /> : null}
      {may('editAlerts') ? <AlertSettings {...props} /> : null}
      {may('assignConnectorOrganisations') ? <SharingSettings {...props} /> : null}
    </>
  )
}
