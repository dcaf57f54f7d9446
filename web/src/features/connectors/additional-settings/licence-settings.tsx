import type { ConnectorLicence } from '@tributary/contract/licences'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../api/session/workspace.ts'
import { connectorLicences } from '../api.ts'
import css from '../connectors.module.css'
import type { AdditionalSettingsProps } from './additional-settings.ts'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'
import { QueryPlaceholder } from '../../../domain/requests/query-placeholder.tsx'

/** All licences of this connector's type; the selected ones decide which tables its runs move. */
export function LicenceSettings({ connector, settings, onChange }: AdditionalSettingsProps) {
  const maySave = useMay()('saveLicences')
  const stored = useQuery(connectorLicences(connector.Id))
  const { data } = stored
  const held = new Set(settings.licences ?? data?.filter(({ Held, Base }) => Held && !Base).map(({ Id }) => Id))
  const toggle = (id: string) => onChange({ ...settings, licences: [...held.symmetricDifference(new Set([id]))] })
  const names = (data ?? []).filter(({ Id, Base }) => Base || held.has(Id)).map(({ Title }) => Title)

  return (
    <CollapsibleSection title="Licences" summary={data === undefined ? 'What its runs move' : names.join(', ')}>
      {data === undefined ? <QueryPlaceholder of={stored} /> : null}
      <ul className={css.choices}>
        {data?.map((licence) => (
          <li key={licence.Id}>
            <LicenceCheckbox
              licence={licence}
              isHeld={held.has(licence.Id)}
              isFixed={licence.Base || !maySave}
              onToggle={() => toggle(licence.Id)}
            />
          </li>
        ))}
      </ul>
    </CollapsibleSection>
  )
}

interface LicenceCheckboxProps {
  readonly licence: ConnectorLicence
  readonly isHeld: boolean
  readonly isFixed: boolean
  readonly onToggle: () => void
}

function LicenceCheckbox({
  licence: { Title, Description, Base, Streams },
  isHeld,
  isFixed,
  onToggle,
}: LicenceCheckboxProps) {
  return (
    <>
      <Checkbox
        size="md"
        label={Title}
        description={Base ? `${Description} Every connector has it.` : Description}
        checked={Base || isHeld}
        disabled={isFixed}
        onChange={onToggle}
      />
      {Streams.length === 0 ? null : (
        <details className={css.streams}>
          <summary>{Streams.length === 1 ? '1 table' : `${Streams.length} tables`}</summary>
          <p>{Streams.join(', ')}</p>
        </details>
      )}
    </>
  )
}
