/** How to install the Excel add-in. Its manifests are generated for the address of this installation. */
import { Button } from '@mantine/core'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import css from './loads.module.css'

export function AddInPanel() {
  return (
    <Panel title="Excel add-in">
      <p>The add-in loads a sheet from within Excel, and highlights the cells to fix in the sheet.</p>
      {window.location.protocol === 'https:' ? null : (
        <Callout tone="info">
          <p>
            Excel opens add-ins only from addresses that begin with https. This address does not, so Excel cannot use
            the files below.
          </p>
        </Callout>
      )}
      <ol className={css.steps}>
        <li>Download the manifest, a small file with the address of this Tributary for Excel.</li>
        <li>
          For yourself, in Excel on the web: Home, Add-ins, More Add-ins, My Add-ins, Upload My Add-in. For all users,
          an administrator of Microsoft 365 uploads it in the admin center: Settings, Integrated apps, Upload custom
          apps.
        </li>
        <li>In Excel choose ‘Load to Tributary’ on the Home tab, and sign in as you do here.</li>
      </ol>
      <div className={css.actions}>
        <Button component="a" href="/addin/manifest.xml" download="tributary-manifest.xml" variant="default">
          Manifest (.xml)
        </Button>
        <Button component="a" href="/addin/manifest.zip" download="tributary-manifest.zip" variant="default">
          Unified manifest (.zip)
        </Button>
      </div>
    </Panel>
  )
}
