import type { ConnectorLicence } from '@tributary/contract/licences'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../api/session/workspace.ts'
import { licencesOf } from '../api.ts'
import css from '../connectors.module.css'
import type { ExtrasProps } from './additional-settings.ts'
import { Fold } from '../../../ui/layout/collapsible-section.tsx'
import { Loading } from '../../../domain/requests/query-placeholder.tsx'

/** All licences there are for this connector; what is ticked is what its runs move. */
export function LicencesFold({ connector, extras, onChange }: ExtrasProps) {
  const maySave = useMay()('saveLicences')
  const asked = useQuery(licencesOf(connector.Id))
  const { data } = asked
  const held = new Set(extras.licences ?? data?.filter(({ Held, Base }) => Held && !Base).map(({ Id }) => Id))
  const toggle = (id: string) => onChange({ ...extras, licences: [...held.symmetricDifference(new Set([id]))] })
  const names = (data ?? []).filter(({ Id, Base }) => Base || held.has(Id)).map(({ Title }) => Title)

  return (
    <Fold title="Licences" summary={data === undefined ? 'What its runs move' : names.join(', ')}>
      {data === undefined ? <Loading of={asked} /> : null}
      <ul className={css.choices}>
        {data?.map((licence) => (
          <li key={licence.Id}>
            <Licence
              licence={licence}
              isHeld={held.has(licence.Id)}
              isFixed={licence.Base || !maySave}
              onToggle={() => toggle(licence.Id)}
            />
          </li>
        ))}
      </ul>
    </Fold>
  )
}

interface LicenceProps {
  readonly licence: ConnectorLicence
  readonly isHeld: boolean
  readonly isFixed: boolean
  readonly onToggle: () => void
}

function Licence({ licence: { Title, Description, Base, Streams }, isHeld, isFixed, onToggle }: LicenceProps) {
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
