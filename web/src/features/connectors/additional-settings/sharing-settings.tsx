import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFoundOrganisations } from '../../../api/queries/organisation-queries.ts'
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
  const [term, setTerm] = useState('')
  const found = useFoundOrganisations(term)
  const picked = new Set(settings.organisations ?? shared.data?.map(({ Id }) => Id))
  // Those that the connector is shared with are listed even if the term has not found them on the server yet.
  const names = new Map(shared.data?.map(({ Id, CompanyName }) => [Id, CompanyName]))
  for (const { Id, CompanyName, Archived } of found) if (!Archived) names.set(Id, CompanyName)
  names.delete(organisation.Id)
  const items = [...names].map(([id, name]) => ({ id, name }))

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
            onSearch={setTerm}
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
