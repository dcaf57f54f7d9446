import { useQuery } from '@tanstack/react-query'
import { organisationList } from '../../../api/queries/common-queries.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { sharedOrganisations } from '../api.ts'
import type { AdditionalSettingsProps } from './additional-settings.ts'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'
import { QueryPlaceholder } from '../../../domain/requests/query-placeholder.tsx'
import { CheckboxList } from '../../../domain/link-editor/checkbox-list.tsx'

/** Selects other organisations whose administrators see and run the connector, but never its settings. */
export function SharingSettings({ connector, settings, onChange }: AdditionalSettingsProps) {
  const { organisation } = useWorkspace()
  const shared = useQuery(sharedOrganisations(connector.Id))
  const all = useQuery(organisationList)
  const picked = new Set(settings.organisations ?? shared.data?.map(({ Id }) => Id))
  const items = (all.data ?? [])
    .filter(({ Id, Archived }) => Id !== organisation.Id && !Archived)
    .map(({ Id, CompanyName }) => ({ id: Id, name: CompanyName }))

  return (
    <CollapsibleSection
      title="Sharing"
      summary={picked.size === 0 ? 'No other organisation sees it' : summariseSharing(picked.size)}
    >
      {shared.data === undefined ? (
        <QueryPlaceholder of={shared} />
      ) : (
        <>
          <p className="small muted">
            Administrators of an organisation that is ticked see the connector, its runs and its history, and can start
            a run. They never see its settings.
          </p>
          <CheckboxList
            what="organisations"
            items={items}
            picked={picked}
            onPick={(next) => onChange({ ...settings, organisations: [...next] })}
          />
        </>
      )}
    </CollapsibleSection>
  )
}

function summariseSharing(count: number): string {
  return count === 1 ? 'Shared with 1 organisation' : `Shared with ${count} organisations`
}
